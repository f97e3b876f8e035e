internal import ChatPush
internal import MailboxLog

/// Takes lines from standard input into the mailbox, one after another.
struct Delivery {
  private let cipher: PushCipher
  private let outbox: MailboxWriter
  private var input = LineInput()
  private var acknowledgements: [UInt8] = []
  private static let acknowledgement: [UInt8] = [0x6F, 0x6B, 0x20]  // "ok "
  /// Of Base64: the nonce at the beginning of a push.
  private static let nonceCharacterCount = 32
  /// Messages appended.
  private(set) var count = 0

  init(_ arguments: HelperArguments) throws(HelperError) {
    let pushKey = try keyBytes(path: arguments.pushKeyFile)
    do throws(PushError) { cipher = try PushCipher(key: pushKey) } catch { throw .push(error) }
    let mailboxKey = arguments.mailboxKeyFile.utf8.isEmpty ? [] : try keyBytes(path: arguments.mailboxKeyFile)
    do throws(LogError) {
      var options = LogOptions()
      if !mailboxKey.isEmpty { options.key = try EncryptionKey(mailboxKey) }
      options.durability = arguments.durability
      outbox = try MailboxWriter(directory: arguments.mailbox, options: options)
    } catch {
      throw .mailbox(error)
    }
  }

  /// Appends until the input ends. Acknowledges each message only once it is appended, and never holds an
  /// acknowledgement back while it waits for input.
  mutating func deliverAll(lineCountMax: Int) throws(HelperError) {
    defer { flush() }
    while count < lineCountMax {
      if !input.hasLine { flush() }
      guard let line = try input.next() else { break }
      let id = try deliver(line)
      acknowledgements.append(contentsOf: Self.acknowledgement)
      acknowledgements.append(contentsOf: id.utf8)
      acknowledgements.append(UInt8(ascii: "\n"))
      count += 1
    }
  }

  /// What to do in `serviceExtensionTimeWillExpire` with a push that isn't opened yet, or half: append it as it came.
  ///
  /// It takes what an append takes, a fraction of a millisecond and one sync, whatever kept the helper busy until then. The main process
  /// opens it when it promotes, and knows by the message's own id if it comes a second time, opened. An append that is under way on
  /// another thread is left to end: this one waits for it within the handle's deadline and is then the second entry of that push.
  mutating func keepUnopened() throws(HelperError) {
    guard let line = try input.next() else { return }
    // The push's nonce: the same in each delivery of it, and no other's.
    let id = "push \(String(decoding: line.prefix(Self.nonceCharacterCount), as: UTF8.self))"
    do throws(LogError) { try outbox.append(id: id, payload: line, timeout: .milliseconds(500)) } catch { throw .mailbox(error) }
    acknowledgements += Array("kept\n".utf8)
    count += 1
    flush()
  }

  /// Opens one push and appends its message. - Returns: the message's id.
  private func deliver(_ line: [UInt8]) throws(HelperError) -> String {
    let message: ChatMessage
    do throws(PushError) { message = try ChatMessage(json: cipher.open(line)) } catch { throw .push(error) }
    do throws(LogError) {
      try outbox.append(id: message.messageId) { fields in
        fields.set("conversationId", message.conversationId)
        fields.set("sender", message.sender)
        fields.set("serverTimestamp", message.serverTimestamp)
        fields.set("text", message.text)
      }
    } catch {
      throw .mailbox(error)
    }
    return message.messageId
  }

  private mutating func flush() {
    if acknowledgements.isEmpty { return }
    writeOut(acknowledgements)
    acknowledgements.removeAll(keepingCapacity: true)
  }

  func close() { outbox.close() }
}
