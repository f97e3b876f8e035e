internal import CZlib
internal import Glibc

/// A file of JSON Lines, gzipped or plain, read line by line.
@safe final class MessageFile {
  private let path: String
  private let file: gzFile
  private var lines = LineBuffer()
  private var block = [UInt8](repeating: 0, count: 64 << 10)
  private var isAtEnd = false

  init(path: String) throws(ChatError) {
    // It is read twice, for sending and for the check at the end, so a pipe won't do.
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw .input(path: path, reason: "isn't a regular file, and it is read twice")
    }
    guard let file = unsafe gzopen(path, "rb") else { throw .input(path: path, reason: "can't be opened (errno \(errno))") }
    self.path = path
    unsafe self.file = file
  }

  deinit { _ = unsafe gzclose(file) }

  /// The next line that isn't empty; nil at the end.
  func next() throws(ChatError) -> [UInt8]? {
    while true {
      while let line = lines.nextLine() {
        if !line.isEmpty { return line }
      }
      if isAtEnd {
        let rest = lines.takeRest()
        return rest.isEmpty ? nil : rest
      }
      let count = unsafe gzread(file, &block, UInt32(block.count))
      if count > 0 {
        lines.append(block[..<Int(count)])
      } else {
        // A file that is cut off ends with bytes and an error, not with a failed read.
        var code: Int32 = 0
        _ = unsafe gzerror(file, &code)
        if count < 0 || code != Z_OK { throw .input(path: path, reason: "is damaged or cut off (zlib \(code))") }
        isAtEnd = true
      }
    }
  }
}
