import CSystem
import MailboxLog
import ObjectStorage
import StorageEngine
import StorageIO

/// The one place where an error of the libraries becomes an exit code and a sentence.
extension ToolFailure {
  /// - Parameter creating: whether the call was about to make what it couldn't find.
  init(_ error: any Error, creating: Bool = false) {
    switch error {
    case let failure as ToolFailure: self = failure
    case let error as LogError: self.init(error, creating: creating)
    case let error as EngineError: self.init(StorageError(error))
    case let error as StorageError: self.init(error)
    case let error as SystemError:
      self.init(Self.code(errno: error.code, creating: creating), Self.sentence(call: error.call.name, errno: error.code))
    default: self.init(.inputOutput, "\(error)")
    }
  }

  private init(_ error: LogError, creating: Bool) {
    switch error {
    case .notFound(let path): self.init(creating ? .cannotCreate : .noSuchFile, "no such file or directory", path: path.nonEmpty)
    case .notALog(let path): self.init(.badData, "not a mailbox, nor a segment of one, nor a log or a store", path: path.nonEmpty)
    case .system(let call, let errno, let path):
      self.init(Self.code(errno: errno, creating: creating), Self.sentence(call: call, errno: errno), path: path.nonEmpty)
    case .busy(let waited): self.init(.busy, "another process holds the lock (waited \(waited))")
    default: self.init(Self.code(error), error.description)
    }
  }

  static func code(_ error: LogError) -> ExitCode {
    switch error {
    case .notFound: .noSuchFile
    case .notALog, .unsupportedVersion, .corrupted, .typeMismatch, .missingField, .keyTooLarge, .recordTooLarge: .badData
    case .keyRequired, .keyNotExpected, .wrongKey, .keyChanged, .invalidKeyLength, .protectedData, .readOnly: .noPermission
    case .invalidKey: .usage
    case .busy, .deadlineExceeded: .busy
    case .full, .noSpace, .suspended, .closed, .forkedHandle, .failedEarlier: .inputOutput
    case .system(_, let errno, _): code(errno: errno, creating: false)
    }
  }

  static func code(errno: Int32, creating: Bool) -> ExitCode {
    switch errno {
    case EACCES, EPERM: .noPermission
    case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: creating ? .cannotCreate : .noSuchFile
    case EEXIST, EROFS: creating ? .cannotCreate : .inputOutput
    case EISDIR: .badData
    case EAGAIN: .busy
    default: .inputOutput
    }
  }

  init(errno: Int32, call: String, path: String) {
    self.init(Self.code(errno: errno, creating: false), Self.sentence(call: call, errno: errno), path: path.nonEmpty)
  }

  private static func sentence(call: String, errno: Int32) -> String { "\(call): \(SystemCalls.message(errno))" }
}

/// Runs what a message is to name by `place`, whatever the command is about.
/// - Parameter creating: whether `body` makes something: that a path isn't there means then that it can't be made.
func about<R>(_ place: String? = nil, creating: Bool = false, _ body: () throws -> R) throws -> R {
  do { return try body() } catch {
    var failure = ToolFailure(error, creating: creating)
    if let place { failure.path = place }
    throw failure
  }
}

extension String {
  var nonEmpty: String? { isEmpty ? nil : self }
}
