import Foundation
import TestSupport

// What tests of the mailbox start, stop and kill. Prints what it did, line by line, each in one write right after the fact.
let mode = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ""
let arguments = Arguments(Array(CommandLine.arguments.dropFirst(2)))
do {
  switch mode {
  case "append": try append(arguments)
  case "drain": try drain(arguments)
  case "open-append-close": try openAppendClose(arguments)
  case "memory": try memory(arguments)
  case "size-limit": try sizeLimit(arguments)
  case "locks": try locks(arguments)
  case "rights": try rights(arguments)
  case "modes": try modes(arguments)
  case "forks": try forks(arguments)
  case "fork-hold": try forkAndHold(arguments)
  case "storm": try storm(arguments)
  case "suspend": try suspensions(arguments)
  case "listen": try await listen(arguments)
  case "listen-end": try await listenAndEnd(arguments)
  default: stop("no mode \(mode)")
  }
} catch {
  stop("\(mode): \(error)")
}
