import MailboxLog

/// Instants as `2026-01-31T09:30:00.123456Z`, without Foundation.
enum TimestampText {
  private static let secondsTo2001 = 978_307_200.0

  /// Seconds since 2001 as a plain number where the calendar doesn't reach: what a file holds may be any number.
  static func text(_ timestamp: LogTimestamp) -> String {
    let seconds = timestamp.secondsSinceReferenceDate
    guard seconds.isFinite, abs(seconds) < 1e11 else { return "\(seconds)s" }
    return text(microseconds: Int64(((seconds + secondsTo2001) * 1e6).rounded()), orElse: "\(seconds)s")
  }

  /// Of microseconds since 1970, exactly; where the calendar doesn't reach, their number and `us`.
  static func text(microseconds: Int64) -> String { text(microseconds: microseconds, orElse: "\(microseconds)us") }

  private static func text(microseconds: Int64, orElse other: @autoclosure () -> String) -> String {
    let (days, ofDay) = floored(microseconds, 86_400_000_000)
    let date = civilDate(days: days)
    guard (0...9999).contains(date.year) else { return other() }
    let second = ofDay / 1_000_000
    let time = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    return "\(padded(date.year, 4))-\(two(date.month))-\(two(date.day))T\(time).\(padded(ofDay % 1_000_000, 6))Z"
  }

  /// Reads the same form, with up to 9 digits of a fraction or none. nil for anything else.
  static func timestamp(_ text: String) -> LogTimestamp? {
    guard let (whole, nanoseconds) = parts(text) else { return nil }
    return LogTimestamp(secondsSinceReferenceDate: Double(whole) - secondsTo2001 + Double(nanoseconds) / 1e9)
  }

  /// Since 1970, exactly, with what is less than one cut off; nil for what is no time, and for 1970-01-01T00:00:00Z and before.
  static func microseconds(_ text: String) -> Int64? {
    let microseconds: Int64? =
      if text.hasSuffix("us") { Int64(text.dropLast(2)) } else { parts(text).map { $0.whole * 1_000_000 + $0.nanoseconds / 1000 } }
    return microseconds.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Seconds since 1970 and what is over.
  private static func parts(_ text: String) -> (whole: Int64, nanoseconds: Int64)? {
    var bytes = Array(text.utf8)[...]
    func number(_ digits: Int, then separator: Character?) -> Int64? {
      guard bytes.count >= digits, bytes.prefix(digits).allSatisfy({ (48...57).contains($0) }) else { return nil }
      let value = bytes.prefix(digits).reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
      bytes = bytes.dropFirst(digits)
      if let separator, bytes.popFirst() != separator.asciiValue { return nil }
      return value
    }
    guard let year = number(4, then: "-"), let month = number(2, then: "-"), let day = number(2, then: "T"),
      let hour = number(2, then: ":"), let minute = number(2, then: ":"), let second = number(2, then: nil),
      (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60
    else { return nil }
    let days = dayCount(year: year, month: month, day: day)
    guard civilDate(days: days) == (year, month, day) else { return nil }
    var nanoseconds: Int64 = 0
    if bytes.first == UInt8(ascii: ".") {
      let digits = bytes.dropFirst().prefix { (48...57).contains($0) }
      guard (1...9).contains(digits.count) else { return nil }
      nanoseconds = digits.reduce(0) { $0 * 10 + Int64($1 - 48) }
      for _ in digits.count..<9 { nanoseconds *= 10 }
      bytes = bytes.dropFirst(1 + digits.count)
    }
    guard bytes.count == 1, bytes.first == UInt8(ascii: "Z") else { return nil }
    return (((days * 24 + hour) * 60 + minute) * 60 + second, nanoseconds)
  }

  private static func floored(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let remainder = value % divisor
    return remainder < 0 ? (value / divisor - 1, remainder + divisor) : (value / divisor, remainder)
  }

  /// Days since 1970 of the Gregorian calendar, counted from March so that the leap day comes last.
  private static func dayCount(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = floored(shifted, 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civilDate(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floored(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  private static func two(_ value: Int64) -> String { padded(value, 2) }
  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = "\(value)"
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
