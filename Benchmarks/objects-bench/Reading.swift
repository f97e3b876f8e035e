import CEngineMeasure
import Foundation
import ObjectStorage

/// All fields of a message, so that each is read.
private func weight(_ message: Message) -> Int {
  message.id.utf8.count + message.conversation.utf8.count + message.body.utf8.count
    + Int(message.sentAt.timeIntervalSinceReferenceDate) + (message.isRead ? 1 : 0) + message.size
}

/// Once to warm up, and once measured. - Parameter body: what a pass does; returns how many operations it was.
private func measured(_ workload: Workload, _ body: (StorageSnapshot) throws -> Int) async throws {
  let snapshot = try await workload.open().snapshot()
  _ = try body(snapshot)
  measure_begin()
  let count = try body(snapshot)
  measure_end()
  measure_report(UInt64(count), 0)
}

/// All ids in another random order than that of the insertion, one behind the other in memory.
private func shuffledIDs(_ workload: Workload) -> [String] {
  (0..<workload.messageCount).map { Samples.id(shuffled($0, workload.messageCount)) }
}

func lookUp(_ workload: Workload) async throws {
  let ids = shuffledIDs(workload)
  try await measured(workload) { snapshot in
    var sum = 0
    for id in ids {
      guard let message = try snapshot.object(Message.self, id: id) else { fatalError("a message is missing") }
      sum += message.body.utf8.count
    }
    precondition(sum == 200 * workload.messageCount)
    return workload.messageCount
  }
}

/// Each a call of the store's own: the newest version, whichever that is by then.
func lookUpAsync(_ workload: Workload) async throws {
  let ids = shuffledIDs(workload)
  let store = try await workload.open()
  for pass in 0..<2 {
    if pass == 1 { measure_begin() }
    for id in ids {
      guard let message = try await store.object(Message.self, id: id) else { fatalError("a message is missing") }
      precondition(message.body.utf8.count == 200)
    }
  }
  measure_end()
  measure_report(UInt64(workload.messageCount), 0)
}

func lastOfConversation(_ workload: Workload) async throws {
  let names = Samples(0..<0).conversations
  try await measured(workload) { snapshot in
    for index in 0..<workload.operationCount {
      let name = names[shuffled(index, names.count)]
      let query = DatabaseQuery<Message> { $0.conversation == name }.sorted(by: \.sentAt, ascending: false).limited(to: 50)
      var (sum, count) = (0, 0)
      for message in try snapshot.objects(Message.self, matching: query) {
        sum += weight(message)
        count += 1
      }
      precondition(sum > 0 && count == 50)
    }
    return workload.operationCount
  }
}

func newest(_ workload: Workload) async throws {
  try await measured(workload) { snapshot in
    for _ in 0..<workload.operationCount {
      let query = DatabaseQuery<Message>().sorted(by: \.sentAt, ascending: false).limited(to: 50)
      var (sum, count) = (0, 0)
      for message in try snapshot.objects(Message.self, matching: query) {
        sum += weight(message)
        count += 1
      }
      precondition(sum > 0 && count == 50)
    }
    return workload.operationCount
  }
}

func countConversation(_ workload: Workload) async throws {
  let names = Samples(0..<0).conversations
  let expected = workload.messageCount / names.count
  try await measured(workload) { snapshot in
    for index in 0..<workload.operationCount {
      let name = names[shuffled(index, names.count)]
      let query = DatabaseQuery<Message> { $0.conversation == name }
      let count = try snapshot.count(Message.self, matching: query)
      precondition(count == expected)
    }
    return workload.operationCount
  }
}

func countUnread(_ workload: Workload) async throws {
  try await measured(workload) { snapshot in
    for _ in 0..<workload.operationCount {
      let query = DatabaseQuery<Message> { !$0.isRead }
      let count = try snapshot.count(Message.self, matching: query)
      precondition(count == workload.messageCount / 2)
    }
    return workload.operationCount
  }
}

func search(_ workload: Workload) async throws {
  try await measured(workload) { snapshot in
    for _ in 0..<workload.operationCount {
      let query = DatabaseQuery<Message> { $0.body.contains(Samples.needle) }
      let count = try snapshot.count(Message.self, matching: query)
      precondition(count == workload.messageCount / 100)
    }
    return workload.operationCount
  }
}

func sort(_ workload: Workload) async throws {
  try await measured(workload) { snapshot in
    for _ in 0..<workload.operationCount {
      let query = DatabaseQuery<Message>().sorted(by: \.size).limited(to: 50)
      var (last, count) = (-1, 0)
      for message in try snapshot.objects(Message.self, matching: query) {
        precondition(message.size >= last)
        last = message.size
        count += 1
      }
      precondition(count == 50)
    }
    return workload.operationCount
  }
}

func scan(_ workload: Workload) async throws {
  try await measured(workload) { snapshot in
    var (sum, count) = (0, 0)
    for message in try snapshot.all(Message.self) {
      sum += weight(message)
      count += 1
    }
    precondition(sum > 0 && count == workload.messageCount)
    return count
  }
}
