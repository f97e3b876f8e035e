import Foundation
import ObjectStorage
import Synchronization
import Testing

/// What is true after the task of a write was cancelled.
@Suite struct CancellationTests {
  /// A task that can be cancelled from the inside of its own calls.
  private final class Cancellable: Sendable {
    private let task = Mutex<Task<Int, any Error>?>(nil)

    func cancel() { task.withLock { $0?.cancel() } }

    func run(_ body: @escaping @Sendable () async throws -> Int) async throws -> Int {
      let task = Task {
        while self.task.withLock({ $0 }) == nil { await Task.yield() }
        return try await body()
      }
      self.task.withLock { $0 = task }
      return try await task.value
    }
  }

  @Test func beforeTheClosureNothingIsDone() async throws {
    let bench = try await StoreBench()
    let (store, cancellable, wasCalled) = (bench.store, Cancellable(), Called())
    await #expect(throws: StorageError.cancelled) {
      try await cancellable.run {
        cancellable.cancel()
        return try await store.write { transaction in
          wasCalled.note()
          try transaction.save(Message(id: "a"))
          return 1
        }
      }
    }
    #expect(!wasCalled.isNoted)
    let other = Cancellable()
    await #expect(throws: StorageError.cancelled) {
      try await other.run {
        other.cancel()
        try await store.save(Message(id: "a"))
        return 1
      }
    }
    #expect(try await store.count(Message.self) == 0)
  }

  @Test func aClosureThatOnlyWritesIsCommitted() async throws {
    let bench = try await StoreBench()
    let (store, cancellable) = (bench.store, Cancellable())
    let result = try await cancellable.run {
      try await store.write { transaction in
        try transaction.save(Message(id: "a"))
        cancellable.cancel()
        try transaction.save(Message(id: "b"))
        try transaction.update(Message.self, id: "a") { $0.text = "changed" }
        return 7
      }
    }
    #expect(result == 7)
    #expect(try await store.count(Message.self) == 2)
    #expect(try await store.object(Message.self, id: "a")?.text == "changed")
  }

  @Test func aQueryInsideEndsItAndItIsUndone() async throws {
    let bench = try await StoreBench()
    try await bench.store.save(StoreBench.messages(10))
    let (store, cancellable) = (bench.store, Cancellable())
    await #expect(throws: StorageError.cancelled) {
      try await cancellable.run {
        try await store.write { transaction in
          try transaction.deleteAll(Message.self)
          cancellable.cancel()
          return try transaction.count(Message.self, matching: DatabaseQuery { $0.size > 3 })
        }
      }
    }
    #expect(try await store.count(Message.self) == 10)
    // What the closure catches is its own affair.
    let other = Cancellable()
    let result = try await other.run {
      try await store.write { transaction in
        try transaction.save(Message(id: "kept"))
        other.cancel()
        do { return try transaction.count(Message.self, matching: DatabaseQuery { $0.size > 3 }) } catch StorageError.cancelled {
          return -1
        }
      }
    }
    #expect(result == -1)
    #expect(try await store.object(Message.self, id: "kept") != nil)
    try await bench.check()
  }

  private final class Called: Sendable {
    private let noted = Mutex(false)
    var isNoted: Bool { noted.withLock { $0 } }
    func note() { noted.withLock { $0 = true } }
  }
}
