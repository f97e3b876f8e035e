import Testing

@testable import KVToolCommands

@Suite struct ParserTests {
  private func parse(_ name: String, _ arguments: String...) throws -> ParsedArguments {
    let command = try #require(CommandTable.command(name))
    var parser = ArgumentParser(command, arguments[...])
    return try parser.parse()
  }
  private func failure(_ name: String, _ arguments: [String]) throws -> ToolFailure {
    let command = try #require(CommandTable.command(name))
    return try #require(throws: ToolFailure.self) {
      var parser = ArgumentParser(command, arguments[...])
      _ = try parser.parse()
    }
  }

  @Test func optionsStandAnywhere() throws {
    for arguments in [["--limit", "3", "box"], ["box", "--limit=3"], ["--limit=3", "--", "box"]] {
      let command = try #require(CommandTable.command("ls"))
      var parser = ArgumentParser(command, arguments[...])
      let parsed = try parser.parse()
      #expect(parsed.operands == ["box"])
      #expect(parsed.count(.limit) == 3)
    }
  }

  @Test func lettersAreTakenTogether() throws {
    for arguments in [["-fn5", "box"], ["-f", "-n", "5", "box"], ["-fn", "5", "box"], ["--follow", "--lines=5", "box"]] {
      let command = try #require(CommandTable.command("tail"))
      var parser = ArgumentParser(command, arguments[...])
      let parsed = try parser.parse()
      #expect(parsed.has(Tail.follow))
      #expect(parsed.count(Tail.lines) == 5)
    }
  }

  @Test func afterTwoDashesEverythingIsAnOperand() throws {
    #expect(try parse("get", "box", "--", "--raw").operands == ["box", "--raw"])
  }

  @Test func mistakesAreUsageErrors() throws {
    let mistakes: [(String, [String], String)] = [
      ("ls", [], "needs MAILBOX"), ("ls", ["a", "b"], "no use for 'b'"), ("ls", ["a", "--limit"], "needs a value"),
      ("ls", ["a", "--limit", "x"], "whole number"), ("ls", ["a", "--limit", "-1"], "whole number"),
      ("ls", ["a", "--format", "jsno"], "did you mean 'json'"), ("ls", ["a", "--prefx", "x"], "did you mean '--prefix'"),
      ("get", ["a", "b", "--raw=1"], "takes no value"), ("ls", ["a", "-z"], "no option '-z'"),
      ("ls", ["a", "--limit=1", "--limit=2"], "twice"), ("hexdump", ["a", "--key-file", "k"], "no option '--key-file'"),
    ]
    for (name, arguments, words) in mistakes {
      let failure = try failure(name, arguments)
      #expect(failure.code == .usage)
      #expect(failure.message?.contains(words) == true, "\(failure.message ?? "")")
    }
  }

  @Test func aKeyIsNeverAnArgument() throws {
    for arguments in [["a", "--key", "5e5e5e"], ["a", "--key=5e5e5e"]] {
      let failure = try failure("ls", arguments)
      #expect(failure.code == .usage)
      #expect(failure.message?.contains("--key-file") == true)
      #expect(failure.message?.contains("5e5e5e") == false)
    }
  }

  @Test func twoSourcesOfAKeyAreOneTooMany() throws {
    let parsed = try parse("ls", "a", "--key-env", "K", "--key-fd", "3")
    #expect(throws: ToolFailure.self) { try KeySource(parsed) }
  }

  @Test func namesOfTheTableAreUnique() {
    #expect(Set(CommandTable.names).count == CommandTable.names.count)
    for command in CommandTable.all {
      let names = command.allOptions.map(\.name)
      let letters = command.allOptions.compactMap(\.letter)
      #expect(Set(names).count == names.count, "\(command.name)")
      #expect(Set(letters).count == letters.count, "\(command.name)")
    }
  }

  @Test func helpNamesEverythingInTheTable() {
    for command in CommandTable.all {
      #expect(Usage.overview().contains(command.summary))
      let help = Usage.help(command)
      for operand in command.operands { #expect(help.contains(operand.documentation)) }
      for option in command.allOptions { #expect(help.contains("--\(option.name)") && help.contains(option.documentation)) }
    }
  }
}

@Suite struct SuggestionTests {
  @Test func distances() {
    #expect(Suggestion.distance("", "abc") == 3)
    #expect(Suggestion.distance("verify", "verify") == 0)
    #expect(Suggestion.distance("vreify", "verify") == 1)
    #expect(Suggestion.distance("kitten", "sitting") == 3)
  }

  @Test func nearNamesAreSuggestedAndFarOnesAreNot() {
    #expect(Suggestion.nearest(to: "veriyf", among: CommandTable.names) == "verify")
    #expect(Suggestion.nearest(to: "apend", among: CommandTable.names) == "append")
    #expect(Suggestion.nearest(to: "rec", among: CommandTable.names) == "recover")
    #expect(Suggestion.nearest(to: "qqqqqqqq", among: CommandTable.names) == nil)
    #expect(Suggestion.nearest(to: String(repeating: "x", count: 100_000), among: CommandTable.names) == nil)
  }
}
