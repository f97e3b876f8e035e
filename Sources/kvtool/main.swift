import KVToolCommands

KVTool.main(CommandLine.arguments)
