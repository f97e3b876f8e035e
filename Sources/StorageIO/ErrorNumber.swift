import CSystem

/// The values of `errno` that have a meaning of their own above this layer.
package enum ErrorNumber {
  package static let noSpace = ENOSPC
  package static let quota = EDQUOT
  package static let fileTooBig = EFBIG
  package static let readOnlyFileSystem = EROFS
  package static let notFound = ENOENT
  package static let notADirectory = ENOTDIR
  package static let isADirectory = EISDIR
  package static let exists = EEXIST
  package static let noPermission = EACCES
  package static let notPermitted = EPERM
  package static let notSupported = EOPNOTSUPP
  package static let symbolicLink = ELOOP
  package static let noSuchDevice = ENXIO
  package static let inputOutput = EIO
  package static let tryAgain = EWOULDBLOCK
  package static let interrupted = EINTR
  package static let invalidArgument = EINVAL
}
