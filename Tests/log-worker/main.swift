import Foundation
import TestSupport

// What tests of the key-value log start, stop and kill. Prints what it did, line by line, each in one write right before or after the fact.
let mode = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ""
let arguments = Arguments(Array(CommandLine.arguments.dropFirst(2)))
do {
  switch mode {
  case "write": try write(arguments)
  case "rekey": try rekey(arguments)
  case "count": try count(arguments)
  case "storm": try storm(arguments)
  case "suspend": try suspensions(arguments)
  case "locks": try locks(arguments)
  case "size-limit": try sizeLimit(arguments)
  case "open-set-close": try openSetClose(arguments)
  case "memory": try memory(arguments)
  case "forks": try forks(arguments)
  case "fork-hold": try forkAndHold(arguments)
  case "modes": try modes(arguments)
  case "listen": try await listen(arguments)
  default: stop("no mode \(mode)")
  }
} catch {
  stop("\(mode): \(error)")
}
