import RawMemory
import Sealing
import StorageEngine
import StorageIO
import TestSupport
import Testing

/// An engine in a directory of its own, beside a dictionary that says what it should hold.
final class EngineBench {
  let directory = TemporaryDirectory()
  var options: EngineOptions
  private(set) var engine: Engine!
  var path: String { directory.path + "/bench.store" }
  /// What was committed, by tree.
  var committed: [String: [[UInt8]: [UInt8]]] = [:]

  init(_ options: EngineOptions) throws {
    self.options = options
    try reopen()
  }

  func reopen() throws {
    engine = nil
    engine = try Engine.open(path: path, options: options)
  }

  /// Whether a version is what the model says, read forwards, and clean in every page.
  func check(_ snapshot: Snapshot, _ model: [String: [[UInt8]: [UInt8]]]) throws {
    for (name, entries) in model {
      let tree = try snapshot.tree(name)
      try EngineBench.check(tree, entries)
    }
  }

  func verify() throws {
    let report = try engine.snapshot().verify()
    #expect(report.isClean, "\(report.problems)")
  }

  static func check(_ tree: Tree?, _ entries: [[UInt8]: [UInt8]]) throws {
    guard let tree else {
      #expect(entries.isEmpty)
      return
    }
    #expect(tree.count == UInt64(entries.count))
    var cursor = tree.cursor()
    var isThere = try cursor.first()
    for (key, value) in entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      guard isThere else {
        Issue.record("the tree ends before \(key)")
        return
      }
      let foundKey = cursor.key
      let found = try cursor.withValue { value throws(EngineError) in value.copied() }
      if foundKey != key || found != value {
        Issue.record("found \(foundKey), expected \(key)")
        return
      }
      isThere = try cursor.next()
    }
    #expect(!isThere)
  }
}
