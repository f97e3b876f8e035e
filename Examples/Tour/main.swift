import Glibc

// A walk through an object store: `swift run tour [FILE]`. Without a FILE the store is in memory.
// The work runs off the main actor: a call from the main actor to another costs a hundred times more there.
exit(await Task.detached { await Tour.main(Array(CommandLine.arguments.dropFirst())) }.value)
