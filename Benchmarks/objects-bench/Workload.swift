import Foundation
import ObjectStorage

/// MODE FILE MESSAGES [OPERATIONS] and options, in any order.
struct Workload: Sendable {
  var mode = ""
  var path = ""
  var messageCount = 0
  var operationCount = 0
  /// Messages a transaction.
  var batchCount = 1
  var isSealed = false

  /// nil when a word is none of ours.
  init?(_ words: some Sequence<String>) {
    var positional: [String] = []
    var iterator = words.makeIterator()
    while let word = iterator.next() {
      switch word {
      case "--sealed": isSealed = true
      case "--batch":
        guard let count = iterator.next().flatMap({ Int($0) }), count > 0 else { return nil }
        batchCount = count
      default:
        if word.utf8.first == UInt8(ascii: "-") { return nil }
        positional.append(word)
      }
    }
    guard (1...4).contains(positional.count) else { return nil }
    mode = positional[0]
    if positional.count > 1 { path = positional[1] }
    let counts = positional.dropFirst(2).map { Int($0) ?? -1 }
    if counts.contains(where: { $0 < 0 }) { return nil }
    messageCount = counts.first ?? 0
    operationCount = counts.dropFirst().first ?? 0
  }

  /// Caches hold all of it, as the peers' do, and so does a transaction's budget.
  func open(_ durability: StorageDurability = .processCrash) async throws -> ObjectStore {
    let encryption: StorageConfiguration.Encryption = isSealed ? .key(Data(0..<32)) : .none
    var configuration = StorageConfiguration(
      location: .file(URL(filePath: path)), encryption: encryption, objectTypes: [Message.self])
    configuration.pageCacheByteCountMax = messageCount * 1024 + 4 << 20
    configuration.dirtyPageByteCountMax = configuration.pageCacheByteCountMax
    configuration.durability = durability
    let store = ObjectStore(configuration: configuration)
    try await store.open()
    return store
  }
}
