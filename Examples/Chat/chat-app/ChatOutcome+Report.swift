internal import Anteroom
internal import ChatPush

extension ChatOutcome {
  /// Prints what was sent, what is stored, what a helper took, the newest conversations and how they were found.
  func printReport(_ conversations: [Conversation], explanation: [String]) {
    let sent = statistics
    let result = verification
    line(
      "pushes sent",
      "\(grouped(pushCount)), and \(grouped(sent.copyCount)) of them twice; \(grouped(sent.expiredCount)) helpers were out of time")
    line(
      "killed",
      "\(grouped(sent.oneShotKillCount)) one-shot and \(grouped(sent.longLivedKillCount)) long-lived helpers, "
        + "\(grouped(sent.resentCount)) pushes resent; the draining process \(grouped(sent.drainKillCount)) times")
    line(
      "messages stored",
      "\(grouped(result.storedCount)) of \(grouped(result.expectedCount)), "
        + "\(grouped(result.emptyTextCount)) of them without text, in \(grouped(result.conversationCount)) conversations")
    line("lost", grouped(result.lostCount))
    line("doubled", grouped(result.doubledCount))
    line(
      "different",
      "\(grouped(result.differentCount)), never sent \(grouped(result.foreignCount)), "
        + "conversations out of order \(grouped(result.unorderedConversationCount))")
    line(
      "promoted",
      "\(grouped(result.storedCount - lastDrain.promotedCount)) by the draining process, "
        + "\(grouped(lastDrain.promotedCount)) by the app's last drain; then \(grouped(quarantinedCount)) in quarantine, "
        + "\(grouped(pendingCount)) pending")
    line("time", "\(seconds(sent.sentNanoseconds)) to send, \(seconds(sent.endedNanoseconds)) until all was stored")
    printHelpers()
    for conversation in conversations {
      print("\n\(printable(conversation.id))")
      for message in conversation.messages {
        print("  \(printable(message.sender)): \(printable(message.text))")
      }
    }
    if !explanation.isEmpty { print("") }
    for step in explanation { print(step) }
    flushOutput()
  }

  private func printHelpers() {
    line(
      "helper's peak",
      "\(peak(statistics.oneShots)) one-shot, \(peak(statistics.longLived)) long-lived, "
        + "\(peak(statistics.lateOneShots)) one-shot with \(grouped(statistics.latePendingCount)) pending")
    if !isPeakGood, let peakLimit { line("", "above the limit of \(grouped(peakLimit)) KiB") }
    let times = statistics.oneShots.map(\.nanoseconds).sorted()
    if !times.isEmpty {
      line(
        "helper's time",
        "\(grouped(Int(times[times.count / 2] / 1000))) us in the process (median of \(grouped(times.count)) one-shot)")
    }
  }

  private func line(_ name: String, _ value: String) {
    print(name + String(repeating: " ", count: max(1, 18 - name.count)) + value)
  }

  private func peak(_ figures: [HelperFigures]) -> String {
    figures.map(\.peakKibibytes).max().map { "\(grouped($0)) KiB" } ?? "none"
  }

  private func seconds(_ nanoseconds: UInt64) -> String {
    "\(nanoseconds / 1_000_000_000).\(nanoseconds / 100_000_000 % 10) s"
  }

  private func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// One line of at most 72 characters, with nothing in it that a terminal would obey.
  private func printable(_ text: String) -> String {
    let visible = text.map { character in
      character.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : character
    }
    return visible.count > 72 ? String(visible.prefix(71)) + "…" : String(visible)
  }
}
