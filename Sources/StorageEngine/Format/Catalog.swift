import RawMemory

/// The tree of trees: a tree's name, and where its root is.
enum Catalog {
  static let treeID: UInt32 = 1
  static let freeTreeID: UInt32 = 2
  static let firstTreeID: UInt32 = 16

  struct Record {
    var id: UInt32
    var root: TreeRoot
  }

  /// Offsets of a record.
  static let id = 0
  static let page = 4
  static let birth = 8
  static let count = 16
  static let level = 24
  static let byteCount = 32

  static func bytes(_ record: Record) -> [UInt8] {
    let buffer = ByteBuffer(count: byteCount)
    buffer.store(record.id, at: id)
    buffer.store(record.root.page, at: page)
    buffer.store(record.root.birth, at: birth)
    buffer.store(record.root.count, at: count)
    buffer.store(record.root.level, at: level)
    return buffer.bytes(0..<byteCount)
  }

  static func record(_ value: borrowing RawSpan) throws(EngineError) -> Record {
    guard value.byteCount == byteCount else { throw .corrupted(page: 0, reason: "a record of the catalogue has another size") }
    let root = TreeRoot(
      page: value.load(UInt32.self, at: page), birth: value.load(UInt64.self, at: birth), level: value.load(UInt8.self, at: level),
      count: value.load(UInt64.self, at: count))
    return Record(id: value.load(UInt32.self, at: id), root: root)
  }

  static func record(_ name: String, in catalog: Tree) throws(EngineError) -> Record? {
    try catalog.withValue(forKey: Array(name.utf8).span.raw) { value throws(EngineError) in try record(value) }
  }

  static func names(in catalog: Tree) throws(EngineError) -> [String] {
    var names: [String] = []
    var cursor = catalog.cursor()
    var isThere = try cursor.first()
    while isThere {
      names.append(cursor.withKey { $0.decodedString() })
      isThere = try cursor.next()
    }
    return names
  }
}
