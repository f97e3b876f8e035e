import Glibc

// Drains a mailbox until it is told to stop: `mailbox-drain --help`.
// Off the main actor, where each call to another actor costs a hundred times more.
exit(await Task.detached { await Daemon.main(Array(CommandLine.arguments.dropFirst())) }.value)
