/// A process for tests of the store, which start it, talk to it and kill it.
let arguments = CommandLine.arguments.dropFirst()

do {
  switch arguments.first {
  case "lock": try LockWorker.run(Array(arguments.dropFirst()))
  case "store": try StoreWorker.run(Array(arguments.dropFirst()))
  case "objects": try await ObjectWorker.run(Array(arguments.dropFirst()))
  default: throw WorkerFailure(reason: "usage: storage-worker lock|store|objects COMMAND …")
  }
} catch {
  say("failed: \(error)")
  leave(1)
}
