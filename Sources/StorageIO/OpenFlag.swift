import CSystem

/// The flags of `open`, for the targets above.
package enum OpenFlag {
  package static let readOnly = O_RDONLY
  package static let readWrite = O_RDWR
  /// For reading and writing; fails when there is something of that name.
  package static let createNew = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
  package static let create = O_CREAT
  package static let noFollow = O_NOFOLLOW
  /// Never waits for the other end of a pipe that has a file's name.
  package static let nonBlocking = O_NONBLOCK
}
