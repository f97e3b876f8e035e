// A helper process that does one thing with a mailbox, measures itself and says so in one line.
import CMeasure
import Glibc
import MailboxLog

let usage = """
  helper-bench MODE [DIRECTORY [COUNT]] [options]
    empty        do nothing: what a process of this kind costs by itself
    append-once  open, append one entry, close
    append-many  append COUNT entries
    fill         prepare COUNT pending entries
    drain        read all that is pending
  --key-hex HEX, --unsynced, --batch COUNT, --acknowledge, --laps (to descriptor 3), --start-at UPTIME
  """

guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
  print(usage)
  exit(2)
}
do throws(LogError) {
  switch arguments.mode {
  case "empty": measure_report(0, 0)
  case "append-once": try appendOnce(arguments)
  case "append-many": try appendMany(arguments)
  case "fill": try fill(arguments)
  case "drain": try drain(arguments)
  default:
    print(usage)
    exit(2)
  }
} catch {
  print("helper-bench: \(error)")
  exit(1)
}
