/// The bytes that pairs of hexadecimal digits stand for; spaces and line ends between pairs are passed over.
func bytes(_ hexadecimal: String) -> [UInt8] {
  let digits = hexadecimal.compactMap(\.hexDigitValue)
  precondition(digits.count % 2 == 0)
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
