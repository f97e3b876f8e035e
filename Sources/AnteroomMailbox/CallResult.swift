import CAnteroomMailbox
import MailboxLog

/// What a call of the C interface got wrong besides what `LogError` says.
enum CallError: Error {
  case log(LogError)
  case missingArgument
  case invalidText
  case bufferTooSmall

  var code: Int32 {
    switch self {
    case .log(let error): Int32(error.code)
    case .missingArgument, .invalidText: Int32(ANTEROOM_INVALID_ARGUMENT)
    case .bufferTooSmall: Int32(ANTEROOM_BUFFER_TOO_SMALL)
    }
  }

  var description: String {
    switch self {
    case .log(let error): error.description
    case .missingArgument: "an argument that is needed is NULL"
    case .invalidText: "a text isn't UTF-8"
    case .bufferTooSmall: "the buffer is smaller than the value, whose byte count was stored"
    }
  }

  var systemErrno: Int32 {
    guard case .log(.system(_, let errno, _)) = self else { return 0 }
    return errno
  }
}

/// Runs a call, and tells C what became of it.
func call(_ error: UnsafeMutablePointer<anteroom_error>?, _ body: () throws(CallError) -> Void) -> Int32 {
  do throws(CallError) {
    try body()
    return Int32(ANTEROOM_OK)
  } catch let failure {
    if let error = unsafe error { unsafe tell(failure, error) }
    return failure.code
  }
}

/// The same for what throws `LogError` alone.
func calling<R>(_ body: () throws(LogError) -> R) throws(CallError) -> R {
  do throws(LogError) { return try body() } catch let error { throw .log(error) }
}

private func tell(_ failure: CallError, _ error: UnsafeMutablePointer<anteroom_error>) {
  unsafe error.pointee = anteroom_error()
  unsafe error.pointee.code = failure.code
  unsafe error.pointee.system_errno = failure.systemErrno
  unsafe withUnsafeMutableBytes(of: &error.pointee.message) { message in
    var count = 0
    for byte in failure.description.utf8 where count < message.count - 1 {
      unsafe message[count] = byte
      count += 1
    }
  }
}
