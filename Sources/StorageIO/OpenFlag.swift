import CSystem

/// The flags of `open`, for the targets above.
package enum OpenFlag {
  package static let readOnly = O_RDONLY
  package static let readWrite = O_RDWR
  package static let create = O_CREAT
  package static let exclusive = O_EXCL
  package static let noFollow = O_NOFOLLOW
  package static let directory = O_DIRECTORY
  /// Never waits for the other end of a pipe that has a file's name.
  package static let nonBlocking = O_NONBLOCK
}
