internal import Glibc

// The work runs off the main actor: a call from the main actor to another costs a hundred times more there.
exit(await Task.detached { await ChatCommand.run(Array(CommandLine.arguments.dropFirst())) }.value)
