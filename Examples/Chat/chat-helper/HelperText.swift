// Numbers to text and back, byte by byte: the general ways of the standard library bring in pages of tables.

/// `end PEAK_KIB NANOSECONDS COUNT`, with its line end.
func endLine(_ peakKibibytes: Int, _ nanoseconds: UInt64, _ count: Int) -> [UInt8] {
  var line: [UInt8] = [0x65, 0x6E, 0x64]  // "end"
  for number in [UInt64(peakKibibytes), nanoseconds, UInt64(count)] {
    line.append(UInt8(ascii: " "))
    appendDecimal(number, to: &line)
  }
  line.append(UInt8(ascii: "\n"))
  return line
}

private func appendDecimal(_ number: UInt64, to line: inout [UInt8]) {
  if number >= 10 { appendDecimal(number / 10, to: &line) }
  line.append(0x30 + UInt8(truncatingIfNeeded: number % 10))
}

/// The first number behind a name; 0 when the name isn't there.
func number(behind name: [UInt8], in text: [UInt8]) -> Int {
  var start = 0
  search: while start + name.count <= text.count {
    for index in 0..<name.count where text[start + index] != name[index] {
      start += 1
      continue search
    }
    return firstNumber(in: text, from: start + name.count)
  }
  return 0
}

private func firstNumber(in text: [UInt8], from start: Int) -> Int {
  var value = 0
  var hasDigits = false
  for index in start..<text.count {
    let digit = text[index] &- 0x30
    if digit < 10 {
      value = value * 10 + Int(digit)
      hasDigits = true
    } else if hasDigits {
      break
    }
  }
  return value
}
