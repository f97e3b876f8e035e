import CEngineMeasure
import Foundation
import ObjectStorage

func insert(_ workload: Workload) async throws {
  let samples = Samples(0..<workload.messageCount)
  let store = try await workload.open()
  measure_begin()
  try await store.write { transaction in
    for number in 0..<workload.messageCount { try transaction.save(samples.message(number, at: number)) }
  }
  measure_end()
  measure_report(UInt64(workload.messageCount), 0)
}

/// New messages, a batch a transaction; each is on the disk before the next begins.
func durable(_ workload: Workload) async throws {
  let (first, batch) = (workload.messageCount, workload.batchCount)
  let samples = Samples(first..<first + workload.operationCount * batch)
  let store = try await workload.open(.powerLoss)
  measure_begin()
  for operation in 0..<workload.operationCount {
    try await store.write { transaction in
      for place in operation * batch..<(operation + 1) * batch { try transaction.save(samples.message(first + place, at: place)) }
    }
  }
  measure_end()
  measure_report(UInt64(workload.operationCount), 0)
}

/// Flags of messages that are known by their ids, in one transaction.
func update(_ workload: Workload) async throws {
  let samples = Samples(0..<workload.messageCount)
  let store = try await workload.open()
  measure_begin()
  try await store.write { transaction in
    for index in 0..<workload.operationCount {
      let number = shuffled(index, workload.messageCount)
      try transaction.update(Message.self, id: samples.ids[number]) { $0.isRead = number % 2 == 0 }
    }
  }
  measure_end()
  measure_report(UInt64(workload.operationCount), 0)
}

func deleteHalf(_ workload: Workload) async throws {
  let store = try await workload.open()
  measure_begin()
  let count = try await store.delete(Message.self, matching: DatabaseQuery { $0.size < 500_000 })
  measure_end()
  precondition(count > workload.messageCount * 4 / 10 && count < workload.messageCount * 6 / 10)
  measure_report(UInt64(count), 0)
}

func compact(_ workload: Workload) async throws {
  let store = try await workload.open(.powerLoss)
  measure_begin()
  try await store.compact()
  measure_end()
  measure_report(1, 0)
}
