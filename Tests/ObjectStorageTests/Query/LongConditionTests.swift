import Foundation
import Testing

@testable import ObjectStorage

/// Conditions of many terms, as loops build them. What is quadratic takes minutes here, and what calls itself for each term overflows the
/// small stack that it is given.
@Suite struct LongConditionTests {
  private static let count = 20_000
  private typealias Condition = Query<Bool>

  /// On a thread with a stack as those of an app's queues have it.
  private func onSmallStack<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Result { try body() }) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test(arguments: [false, true]) func aLoopOfAlternatives(addsInFront: Bool) async throws {
    let bench = try await StoreBench()
    try await bench.store.save(StoreBench.messages(100))
    let query = try await onSmallStack {
      DatabaseQuery<Message> { message in
        var condition = message.size == 0
        for size in 1..<Self.count {
          let term = message.size == size * 2
          condition = addsInFront ? term || condition : condition || term
        }
        return condition
      }
    }
    guard case .filter(.or(let terms)) = query.form.steps.first else { throw StorageError.query(.foreignCursor) }
    #expect(terms.count == Self.count && terms.movedCount == 0)
    #expect(try await bench.store.count(Message.self, matching: query) == 50)
    #expect(query.description.hasPrefix(addsInFront ? "size == 39998 || " : "size == 0 || size == 2 || "))
  }

  @Test func aLoopOfConditions() async throws {
    let bench = try await StoreBench()
    try await bench.store.save(StoreBench.messages(10))
    let query = try await onSmallStack {
      DatabaseQuery<Message> { message in
        (0..<Self.count).reduce(message.size >= 0) { $0 && message.size != $1 * 3 && message.text != "x" }
      }
    }
    #expect(try await bench.store.objects(Message.self, matching: query).map(\.size).sorted() == [1, 2, 4, 5, 7, 8])
    // The same, a call for each.
    let chained = try await onSmallStack {
      (0..<Self.count).reduce(DatabaseQuery<Message>()) { query, number in query.where { $0.size != number * 3 } }
    }
    guard case .filter(.and(let terms)) = chained.form.steps.first else { throw StorageError.query(.foreignCursor) }
    #expect(terms.count == Self.count && terms.movedCount == 0)
    #expect(try await bench.store.count(Message.self, matching: chained) == 6)
  }

  /// As many as a text of the length allowed has.
  @Test func aTextOfMany() async throws {
    let text = (0..<5000).map { "a == \($0)" }.joined(separator: " || ")
    let form = try await onSmallStack { try QueryForm(text: text) }
    #expect(form.description == text)
  }

  @Test func aSharedBeginningIsNobodysOwn() throws {
    let root = Query<Message>(.element(scope: 0))
    let both = root.size == 1 || root.size == 2
    let (a, b) = (both || root.size == 3, both || root.size == 4)
    let front = root.size == 0 || both
    #expect(QueryPrinter.text(a.expression) == "size == 1 || size == 2 || size == 3")
    #expect(QueryPrinter.text(b.expression) == "size == 1 || size == 2 || size == 4")
    #expect(QueryPrinter.text(front.expression) == "size == 0 || size == 1 || size == 2")
    #expect(
      QueryPrinter.text((front || a).expression) == "size == 0 || size == 1 || size == 2 || size == 1 || size == 2 || size == 3")
    #expect(QueryPrinter.text((both || both).expression) == "size == 1 || size == 2 || size == 1 || size == 2")
    #expect(QueryPrinter.text(both.expression) == "size == 1 || size == 2")
  }

  @Test func whatIsTooDeepIsAnError() async throws {
    let bench = try await StoreBench()
    try await bench.store.save(StoreBench.messages(3))
    let negated = try await onSmallStack {
      DatabaseQuery<Message> { message in (0..<Self.count).reduce(message.size == 1) { condition, _ in !condition } }
    }
    await #expect(throws: StorageError.query(.tooDeep)) { try await bench.store.count(Message.self, matching: negated) }
    let deep = try await onSmallStack {
      DatabaseQuery<Message> { message in
        (0..<Self.count).reduce(message.size == 1) { $1 % 2 == 0 ? $0 && message.size != $1 : $0 || message.size == $1 }
      }
    }
    await #expect(throws: StorageError.query(.tooDeep)) { try await bench.store.count(Message.self, matching: deep) }
    let allowed = DatabaseQuery<Message> { message in
      (0..<250).reduce(message.size == 1) { $1 % 2 == 0 ? $0 && message.size != 7 : $0 || message.size == 2 }
    }
    #expect(try await bench.store.count(Message.self, matching: allowed) == 2)
  }
}
