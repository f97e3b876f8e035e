/// A page of `help` that isn't about one command.
struct HelpTopic: Sendable {
  let name: String
  let text: String

  static let all = [keys, exitCodes, escapes, formats, dumpFormat, metrics]

  private static let keys = HelpTopic(
    name: "keys",
    text: """
      A key is 32 or 64 raw bytes, or their hex digits with at most one line end after them. It comes from one of
        --key-file FILE        refused when anybody but the owner can get at the file
        --key-fd N             an open descriptor, read to its end
        --key-env NAME         an environment variable
        --key-command COMMAND  what COMMAND prints, run by sh
      or, when a key turns out to be needed and standard input is a terminal, from a prompt that doesn't show it.

      \(CommandOption.keyRefusal).

      A missing key, a wrong one, and a key for a plain file all end with exit 77, each with a sentence of its own, and change
      nothing. 64 hex digits are always a key of 32 bytes.

      """)

  private static let exitCodes = HelpTopic(
    name: "exit-codes",
    text: ExitCode.allCases.map { Usage.padded("", 3 - "\($0.rawValue)".count) + "\($0.rawValue)  \($0.meaning)\n" }.joined())

  private static let escapes = HelpTopic(
    name: "escapes",
    text: """
      Ids, keys and values are printed with escapes, so that each takes one line and none can do anything to a terminal:
        \\\\ a backslash   \\n \\r \\t line ends and tab   \\xNN the byte NN
      Everything else is UTF-8 as it is. Ids and keys on the command line (operand, --id, --prefix) are read with the same escapes,
      so what `ls` prints can be passed to `get`. --key-hex takes one as bytes instead: hex digits, base64:TEXT, or @FILE. Values
      of a log are read as they are given, and bytes are printed as hex digits.

      """)

  private static let formats = HelpTopic(
    name: "formats",
    text: """
      text   for people, and stable enough to grep
      json   one JSON value
      jsonl  one JSON value a line
      csv    comma-separated values with a line of names first (RFC 4180), cells escaped
      hex    hex digits: of ids or keys for `ls`, of these and values for `tail`, of values for `get`
      prometheus  figures for monitoring, of `stat` (see `kvtool help metrics`)
      Colour is used on a terminal only, and never when NO_COLOR is set. Data goes to standard output, messages to standard error.

      """)

  private static let dumpFormat = HelpTopic(
    name: "dump-format",
    text: """
      One JSON object a line, in the order in which the records would be drained:
        id             text
        position       {"segment": 32 hex digits, "sequence": number}
        appendedAt     "2026-01-31T09:30:00.123456Z"
        schemaVersion  number
      and one of
        payload        text, when the bytes are UTF-8 without control characters other than tabs and line ends
        payloadBase64  base64 of the bytes otherwise
        fields         an object of named fields in their order, each an object with one name, its type:
                       {"string": text} {"bytes": base64} {"int": n} {"uint": n} {"double": n} {"bool": b} {"date": n}
      Dates are seconds since 2001-01-01 UTC. Whole numbers beyond 2^53 are texts of digits; doubles read back bit for bit, and
      those that JSON has no number for are "inf", "-inf" or "bits:" and 16 hex digits. `load` passes over position and time.

      Of a log, a line for each key, in the order in which they were set:
        key            text; keyBase64 in its place when the key isn't UTF-8
        value          an object with one name, its type, as a field above
        expiresAt      "2026-01-31T09:30:00.123456Z", when it expires; after the year 9999, microseconds since 1970 and "us"
      `load` sets them again, and passes over the sequence and the time that `ls --format jsonl` prints.

      Of a store, a line {"type": name, "schema": …} for each type, then {"type": name, "object": {property: value, …}} for each of its
      objects, with "row", its number, where the type has no primary key. Values are as the schema's types say: decimals and UUIDs are texts,
      data is base64, dates are seconds since 2001-01-01 UTC, lists and sets are arrays, maps and embedded structs objects.

      """)

  private static let metrics = HelpTopic(
    name: "metrics",
    text: "`stat --format prometheus` prints gauges, each with the label `path`. Names and meanings stay.\n\n"
      + (Metric.mailbox + Metric.log + Metric.store).map { "  \($0.name)\n      \($0.help)\n" }.joined())
}
