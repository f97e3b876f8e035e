// One workload with one object store, measured by itself and said in one line. The peers do the same in C.
import CEngineMeasure
import Foundation

let usage = """
  objects-bench MODE FILE MESSAGES [OPERATIONS] [--sealed] [--batch N]
    insert                            a new store, in one transaction that isn't synced
    durable                           a transaction for each batch of new messages, synced
    look-up, look-up-async            by id, the body read: in a snapshot; by calls of the store
    last-50, newest-50                the last of a conversation, of all; all fields read
    count-conversation, count-unread  by an index; by a property without one
    search, sort                      for a word in all bodies; by a property without an index, the first 50
    scan                              all messages, all fields
    update, delete-half, compact      10,000 flags by id, not synced; by a condition, not synced; synced
    empty                             nothing: what a process of this kind costs by itself
  """

guard let workload = Workload(CommandLine.arguments.dropFirst()) else {
  print(usage)
  exit(2)
}

/// Off the main thread, where a call of an actor costs no switch.
@concurrent func run(_ workload: Workload) async throws -> Bool {
  switch workload.mode {
  case "empty": measure_report(0, 0)
  case "insert": try await insert(workload)
  case "durable": try await durable(workload)
  case "look-up": try await lookUp(workload)
  case "look-up-async": try await lookUpAsync(workload)
  case "last-50": try await lastOfConversation(workload)
  case "newest-50": try await newest(workload)
  case "count-conversation": try await countConversation(workload)
  case "count-unread": try await countUnread(workload)
  case "search": try await search(workload)
  case "sort": try await sort(workload)
  case "scan": try await scan(workload)
  case "update": try await update(workload)
  case "delete-half": try await deleteHalf(workload)
  case "compact": try await compact(workload)
  default: return false
  }
  return true
}

do {
  if !(try await run(workload)) {
    print(usage)
    exit(2)
  }
} catch {
  print("objects-bench: \(error)")
  exit(1)
}
