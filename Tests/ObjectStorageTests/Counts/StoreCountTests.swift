#if DEBUG
  import Foundation
  import RawMemory
  import Sealing
  import StorageEngine
  import StorageIO
  import TestSupport
  import Testing

  @testable import ObjectStorage

  /// What the store makes the engine and the kernel do. Times depend on the machine; these counts don't, and grow only on purpose.
  @Suite struct StoreCountTests {
    private static let count = 8_000
    private static let conversationCount = 80

    /// A store whose pages are read by system calls, so that they can be counted, into a cache that holds all of them.
    private struct Store {
      let directory = TemporaryDirectory()
      let calls = CountingCalls()
      let core: StoreCore

      init(isSealed: Bool) async throws {
        let path = directory.path(of: "counts.store")
        let key = Data(0..<32)
        let configuration = StorageConfiguration(
          location: .file(URL(filePath: path)), encryption: isSealed ? .key(key) : .none, objectTypes: [Message.self])
        let store = ObjectStore(configuration: configuration)
        try await store.open()
        try await store.save((0..<StoreCountTests.count).map { StoreCountTests.message($0) })
        await store.close()
        var options = EngineOptions()
        options.mapsPages = false
        if isSealed { options.key = .secret(SecretBytes(copying: [UInt8](key).span)) }
        core = StoreCore(try Engine.open(path: path, options: options, system: calls), models: [try StoreModel(Message.self)])
      }

      /// The calls that `body` made for reading.
      func reads(_ body: () throws -> Void) rethrows -> Int {
        calls.resetCounts()
        try body()
        return calls.callCount(.read)
      }
    }

    /// Ids in no order.
    private static func id(_ number: Int) -> String {
      String(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 | 1 << 63, radix: 16)
    }
    private static func message(_ number: Int) -> Message {
      Message(
        id: id(number), conversationID: "c\(number % conversationCount)", text: String(repeating: "text of it ", count: 18),
        sentAt: Date(timeIntervalSinceReferenceDate: Double(number)), isRead: number % 2 == 0, size: number)
    }

    @Test(arguments: [false, true])
    func lookingUpByID(isSealed: Bool) async throws {
      let store = try await Store(isSealed: isSealed)
      let snapshot = StorageSnapshot(reader: try store.core.reader())
      _ = try snapshot.object(Message.self, id: Self.id(0))
      for number in stride(from: 1, to: Self.count, by: 97) {
        // The root is there: a branch and a leaf.
        var sizes: [Int?] = []
        let first = try store.reads { sizes.append(try snapshot.object(Message.self, id: Self.id(number))?.size) }
        let again = try store.reads { sizes.append(try snapshot.object(Message.self, id: Self.id(number))?.size) }
        #expect(sizes == [number, number])
        #expect(first <= 2)
        #expect(again == 0)
      }
      store.calls.resetCounts()
      for number in stride(from: 1, to: Self.count, by: 97) {
        _ = try StorageSnapshot(reader: try store.core.reader()).object(Message.self, id: Self.id(number))
      }
      #expect(store.calls.totalCallCount == 0, "\(store.calls.callCounts)")
    }

    @Test(arguments: [false, true])
    func lastOfAConversation(isSealed: Bool) async throws {
      let store = try await Store(isSealed: isSealed)
      let snapshot = StorageSnapshot(reader: try store.core.reader())
      let query = DatabaseQuery<Message> { $0.conversationID == "c7" }.sorted(by: \.sentAt, ascending: false).limited(to: 50)
      let runner = try snapshot.reader.runner(Message.self)
      #expect(try runner.explain(try runner.plan(query.form)).examinedRowCount == 50)
      var sizes: [Int] = []
      // A page a row, and those on the way to it; what the query itself reads is there.
      let reads = try store.reads { sizes = try snapshot.objects(Message.self, matching: query).map(\.size) }
      #expect(sizes == (0..<50).map { Self.count - Self.conversationCount + 7 - Self.conversationCount * $0 })
      #expect(reads <= 60, "\(reads)")
      let again = try store.reads { _ = try snapshot.objects(Message.self, matching: query).map(\.size) }
      #expect(again == 0)
    }

    /// Counts are in the trees: however long the conversation, a few pages tell.
    @Test(arguments: [false, true])
    func countingAConversation(isSealed: Bool) async throws {
      let store = try await Store(isSealed: isSealed)
      let snapshot = StorageSnapshot(reader: try store.core.reader())
      var count = 0
      let reads = try store.reads {
        count = try snapshot.count(Message.self, matching: DatabaseQuery { $0.conversationID == "c7" })
      }
      #expect(count == Self.count / Self.conversationCount)
      // The catalogue, the roots of rows and index, and the two ends.
      #expect(reads <= 5, "\(reads)")
    }

    @Test(arguments: [false, true])
    func oneMessageDurably(isSealed: Bool) async throws {
      let store = try await Store(isSealed: isSealed)
      func save(_ number: Int) throws {
        try store.core.write(timeout: .seconds(5), durability: .powerLoss) { transaction in
          try transaction.save(Self.message(number))
        }
      }
      for number in Self.count..<Self.count + 4 { try save(number) }
      var written: [Int] = []
      for number in Self.count + 4..<Self.count + 24 {
        store.calls.resetCounts()
        try save(number)
        #expect(store.calls.callCount(.synchronizeData) == 1)
        #expect(store.calls.callCount(.synchronize) == 0)
        #expect(store.calls.callCount(.lock) == 1 && store.calls.callCount(.unlock) == 1)
        written.append(store.calls.bytesWritten)
      }
      written.sort()
      // A leaf and the way to it in the rows and in both indexes, the catalogue and the free pages.
      #expect(written[written.count / 2] <= 40 << 10, "\(written)")
      #expect(written[written.count - 1] <= 52 << 10, "\(written)")
    }
  }
#endif
