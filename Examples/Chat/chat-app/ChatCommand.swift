/// The program's faces: the run itself, the draining process that it starts and kills, and the measurement.
enum ChatCommand {
  /// - Returns: the exit code: 0; 1 when a message is lost, doubled or different; 64 for a wrong command line; 70 when the run
  ///   couldn't be finished.
  static func run(_ arguments: [String]) async -> Int32 {
    ignoreBrokenPipes()
    do {
      if arguments.first == "drain" {
        try await DrainCommand(arguments.dropFirst()).run()
        return 0
      }
      if arguments.first == "rate" {
        try await RateCommand(arguments.dropFirst()).run()
        return 0
      }
      guard let options = try ChatOptions(arguments) else {
        print(ChatOptions.usage)
        return 0
      }
      let outcome = try await ChatRun(options).run()
      return outcome.isGood ? 0 : 1
    } catch let error as ChatError {
      printError("chat-app: \(error)")
      return error.exitCode
    } catch {
      printError("chat-app: \(error)")
      return 70
    }
  }
}
