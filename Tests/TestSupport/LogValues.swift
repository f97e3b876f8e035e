/// Values of which the number follows from the text, and the text from the number: a mixture of two is neither.
package enum LogValues {
  /// Up to some thousand bytes.
  package static func text(_ number: Int) -> String {
    let count = number % 23 == 0 ? 4_000 + number % 900 : number % 90
    return "\(number) " + String(repeating: Character(UnicodeScalar(UInt8(97 + number % 26))), count: count)
  }
  /// nil when it is no such text.
  package static func number(_ text: String) -> Int? {
    guard let end = text.firstIndex(of: " "), let number = Int(text[..<end]), Self.text(number) == text else { return nil }
    return number
  }
}
