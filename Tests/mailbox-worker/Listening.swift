import Foundation
import MailboxListening
import MailboxLog
import TestSupport

/// `listen DIR`: drains whenever something arrives and prints each id; `--keep` acknowledges nothing.
///
/// At a line on standard input it prints the processor time of the last two seconds, in which nobody should append.
func listen(_ arguments: Arguments) async throws {
  let reader = try arguments.handles().opened().reader()
  Thread {
    while readLine() != nil {
      let before = ProcessState.processorSeconds
      sleep(2)
      emit("idle \(Int((ProcessState.processorSeconds - before) * 1e6))")
    }
    reader.close()
  }.start()
  var seen: Set<String> = []
  emit("ready")
  for await _ in reader.arrivals() {
    var positions: [MailboxPosition] = []
    do {
      try reader.forEachPending { entry in
        if seen.insert(entry.id).inserted { emit("got \(entry.id)") }
        positions.append(entry.position)
      }
      if !arguments.has("--read-only"), !arguments.has("--keep") { try reader.acknowledge(positions) }
    } catch LogError.closed { break }
  }
  emit("ended")
}

/// `listen-end DIR`: iterations end when their task is cancelled and when the reader is closed, and survive a suspension.
func listenAndEnd(_ arguments: Arguments) async throws {
  let opened = try arguments.handles().opened()
  for round in 0..<20 {
    let reader = try opened.reader()
    let isCancelled = round % 2 == 0
    let task = Task.detached {
      var count = 0
      for await _ in reader.arrivals() { count += 1 }
      return count
    }
    if round % 3 != 0 { try await Task.sleep(for: .milliseconds(10)) }
    if round % 4 > 1 {
      reader.suspend()
      try reader.resume()
    }
    let clock = ContinuousClock()
    let begin = clock.now
    if isCancelled { task.cancel() } else { reader.close() }
    let count = await task.value
    require(clock.now - begin < .seconds(1), "round \(round): the end took \(clock.now - begin)")
    require(count == 0, "woken \(count) times for nothing")
  }
  emit("ok")
}
