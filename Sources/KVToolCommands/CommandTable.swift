/// All commands. The parser, the usage, the help and the suggestions are made from this table and know no other.
enum CommandTable {
  static let all: [Command] = [
    Info.command, Stat.command, List.command, Get.command, Tail.command, Pending.command, Append.command, SetEntry.command,
    RemoveEntry.command, Verify.command, Recover.command, Dump.command, Load.command, Import.command, Schema.command,
    QueryVerb.command, Explain.command, Count.command, Versions.command, Readers.command, Compact.command, Rekey.rekey,
    Rekey.encrypt, Rekey.decrypt, Backup.command, Restore.command, GenerateKey.command, Price.command,
    Doctor.command, Page.command, Hexdump.command, Help.command,
  ]

  static let names = all.flatMap { [$0.name] + $0.aliases }

  static func command(_ name: String) -> Command? { all.first { $0.name == name || $0.aliases.contains(name) } }
}
