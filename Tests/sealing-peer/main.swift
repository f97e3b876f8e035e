import SealingTranscript

// sealing-peer primitives SEED | write KIND DIRECTORY | read KIND DIRECTORY | wrong-key KIND DIRECTORY
let arguments = CommandLine.arguments.dropFirst().map { String($0) }
let kind = arguments.count > 1 ? FileExchange(rawValue: arguments[1]) : nil
switch (arguments.first, kind, arguments.last) {
case ("primitives", _, let seed?): for line in PrimitiveTranscript.lines(seed: UInt8(seed) ?? 0) { print(line) }
case ("write", let kind?, let directory?): try kind.write(to: directory)
case ("read", let kind?, let directory?): for line in try kind.read(from: directory) { print(line) }
case ("wrong-key", let kind?, let directory?): print(kind.errorOfWrongKey(directory))
default: fatalError("what to do isn't among the arguments")
}
