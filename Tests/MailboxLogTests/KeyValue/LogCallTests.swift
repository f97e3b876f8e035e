import Foundation
import MailboxLog
import StorageIO
import TestSupport
import Testing

/// Single calls of a log: types, expiry, errors, keys, copies.
@Suite struct LogCallTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path(of: "settings.kvlog") }

  @Test func valuesOfEachType() throws {
    let log = try KeyValueLog(path: path)
    try log.set("Ada", forKey: "string")
    try log.set(-42, forKey: "int")
    try log.set(UInt64.max, forKey: "uint")
    try log.set(-0.0, forKey: "double")
    try log.set(true, forKey: "bool")
    try log.set([1, 0, 255] as [UInt8], forKey: "bytes")
    let time = LogTimestamp(secondsSinceReferenceDate: 1.5)
    try log.set(time, forKey: "date")
    let other = try KeyValueLog(path: path)
    #expect(try other.string(forKey: "string") == "Ada")
    #expect(try other.int(forKey: "int") == -42)
    #expect(try other.uint(forKey: "uint") == .max)
    #expect(try other.double(forKey: "double")?.sign == .minus)
    #expect(try other.bool(forKey: "bool") == true)
    #expect(try other.bytes(forKey: "bytes") == [1, 0, 255])
    #expect(try other.timestamp(forKey: "date") == time)
    #expect(throws: LogError.typeMismatch(stored: .string, requested: .int)) { try other.int(forKey: "string") }
    #expect(try other.keys().sorted() == ["bool", "bytes", "date", "double", "int", "string", "uint"])
    #expect(try other.type(forKey: "none") == nil)
  }

  @Test func expiry() throws {
    let kernel = CrashKernel()
    let log = try KeyValueLog(path: "/a.kvlog", options: LogOptions(), system: kernel.process())
    let other = try KeyValueLog(path: "/a.kvlog", options: LogOptions(), system: kernel.process())
    try log.set(1, forKey: "a", expiresAfter: .seconds(10))
    try log.set(2, forKey: "b")
    try log.set(3, forKey: "c", expiresAfter: .zero)
    #expect(try other.count == 2 && other.contains("a") && !other.contains("c"))
    kernel.step(.seconds(9))
    #expect(try other.int(forKey: "a") == 1)
    kernel.step(.seconds(1))
    for log in [log, other] {
      #expect(try log.int(forKey: "a") == nil && !log.contains("a") && log.count == 1 && log.keys() == ["b"])
    }
    #expect(try log.removeValue(forKey: "a") == false)
    #expect(try log.compareAndSet("a", expected: nil, to: 5))
    #expect(try other.int(forKey: "a") == 5)
  }

  @Test func errors() throws {
    #expect(throws: LogError.notFound(path: "")) {
      var options = LogOptions()
      options.createIfMissing = false
      _ = try KeyValueLog(path: path, options: options)
    }
    let log = try KeyValueLog(path: path)
    #expect(throws: LogError.invalidKey) { try log.set(1, forKey: "") }
    #expect(throws: LogError.keyTooLarge(byteCount: 1025, limit: 1024)) {
      try log.set(1, forKey: String(repeating: "x", count: 1025))
    }
    #expect(throws: LogError.keyNotExpected) { _ = try KeyValueLog(path: path, options: LogOptions(key: .random())) }
    directory.write(Array("not a log, but a text that is long enough\n".utf8), to: "text")
    #expect(throws: LogError.self) { _ = try KeyValueLog(path: directory.path(of: "text")) }
    log.close()
    #expect(throws: LogError.closed) { try log.count }
    var readOnly = LogOptions()
    readOnly.access = .readOnly
    let reader = try KeyValueLog(path: path, options: readOnly)
    #expect(throws: LogError.readOnly) { try reader.set(1, forKey: "a") }
    #expect(try reader.count == 0)
  }

  @Test func batchesAreWholeOrNothing() throws {
    struct Stop: Error {}
    let log = try KeyValueLog(path: path)
    #expect(throws: Stop.self) {
      try log.update { batch in
        batch.set(1, forKey: "a")
        throw Stop()
      }
    }
    try log.update { batch in
      batch.set(1, forKey: "a")
      batch.cancel()
    }
    #expect(try log.count == 0)
    try log.update { batch in
      batch.set(1, forKey: "a")
      batch.set(2, forKey: "b")
      batch.removeValue(forKey: "a")
    }
    #expect(try log.keys() == ["b"])
  }

  @Test func rekeyed() throws {
    let (first, second) = (EncryptionKey.random(), EncryptionKey.random())
    let log = try KeyValueLog(path: path, options: LogOptions(key: first))
    for number in 0..<2_000 { try log.set(number, forKey: "n\(number)") }
    let other = try KeyValueLog(path: path, options: LogOptions(key: first))
    #expect(try other.int(forKey: "n7") == 7)
    try log.rekey(to: second)
    #expect(throws: LogError.keyChanged) { try other.int(forKey: "n8") }
    #expect(throws: LogError.wrongKey) { _ = try KeyValueLog(path: path, options: LogOptions(key: first)) }
    #expect(try log.int(forKey: "n1999") == 1_999)
    try log.set("more", forKey: "m")
    try log.rekey(to: nil)
    let plain = try KeyValueLog(path: path)
    #expect(try plain.count == 2_001 && plain.string(forKey: "m") == "more")
    #expect(litter(in: directory.path).isEmpty)
  }

  @Test func backupAndRestore() throws {
    let log = try KeyValueLog(path: path, options: LogOptions(key: .random()))
    for number in 0..<3_000 { try log.set(number, forKey: "n\(number)") }
    let copy = directory.path(of: "copy.kvlog")
    try log.backup(to: copy)
    try log.removeAll()
    try log.set(1, forKey: "later")
    #expect(try log.count == 1)
    try KeyValueLog.restore(from: copy, to: path)
    #expect(try log.count == 3_000)
    #expect(try log.int(forKey: "n2999") == 2_999)
    try log.set("x", forKey: "later")
    #expect(try log.count == 3_001)
    #expect(throws: LogError.notFound(path: "")) { try KeyValueLog.restore(from: path + ".none", to: path) }
    #expect(try log.verify().isEmpty)
    #expect(litter(in: directory.path).isEmpty)
  }

  /// A path that was mistyped costs no file; a log whose header is damaged may be replaced, since that is what a backup is for.
  @Test func aCopyReplacesNothingButALog() throws {
    let log = try KeyValueLog(path: path)
    try log.set(1, forKey: "n")
    let copy = directory.path(of: "copy.kvlog")
    try log.backup(to: copy)
    let other = directory.path(of: "photo.jpeg")
    for contents in [[UInt8](repeating: 9, count: 20_000), Array("short".utf8)] {
      try Data(contents).write(to: URL(filePath: other))
      #expect(throws: LogError.notALog(path: "")) { try KeyValueLog.restore(from: copy, to: other) }
      #expect(throws: LogError.notALog(path: "")) { try log.backup(to: other) }
      #expect(try Array(Data(contentsOf: URL(filePath: other))) == contents)
    }
    let segment = try Data(contentsOf: URL(filePath: copy))
    try (segment.prefix(100) + Data(repeating: 0xFF, count: 8) + segment.dropFirst(108)).write(to: URL(filePath: other))
    try KeyValueLog.restore(from: copy, to: other)
    #expect(try KeyValueLog(path: other).int(forKey: "n") == 1)
    #expect(litter(in: directory.path).isEmpty)
  }

  @Test func capacity() throws {
    var options = LogOptions()
    options.capacity = 1 << 20
    let log = try KeyValueLog(path: path, options: options)
    let value = [UInt8](repeating: 7, count: 10_000)
    for number in 0..<400 { try log.set(value, forKey: "k\(number % 20)") }
    #expect(throws: LogError.full(capacity: 1 << 20)) { for number in 0..<400 { try log.set(value, forKey: "n\(number)") } }
    #expect(try log.contains("k19"))
    options.overflow = .dropOldest
    let dropping = try KeyValueLog(path: path, options: options)
    for number in 0..<400 { try dropping.set(value, forKey: "n\(number)") }
    #expect(try dropping.contains("n399") && !dropping.contains("k0"))
  }
}
