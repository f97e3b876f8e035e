import RawMemory
package import StorageIO

extension SegmentInspection {
  /// Writes the file anew, byte for byte, into one that is empty. Where the file is this boot's and no copy, so is the new one: writers go on in
  /// it as they would here. For trying things out; what is committed meanwhile may be there in part.
  package func copy(to target: StorageFile) throws(LogError) {
    let isOwn = !isCopy
    let buffer = ByteBuffer(count: 256 << 10)
    try at(target.path) { () throws(SystemError) in
      try target.allocate(0..<fileByteCount)
      var offset: UInt64 = 0
      while offset < fileByteCount {
        let count = try file.read(buffer, 0..<Int(min(UInt64(buffer.count), fileByteCount - offset)), at: offset)
        if count == 0 { break }
        try target.write(buffer, 0..<count, at: offset)
        offset += UInt64(count)
      }
      if isOwn { try SegmentWords(target, identifier: segmentID).store(Identity.file(try target.status()), .fileIdentity) }
    }
  }
}
