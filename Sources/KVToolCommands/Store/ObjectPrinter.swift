import ObjectStorage

/// Prints objects one after another in the format that was asked for.
final class ObjectPrinter {
  private let output: Output
  private let format: OutputFormat
  private let names: [String]
  private var isFirst = true

  init(_ invocation: Invocation, names: [String]) {
    output = invocation.output
    format = invocation.format
    self.names = names
  }

  /// Also prints what stands in front of the first object.
  func begin() throws {
    switch format {
    case .json: try output.write("[")
    case .csv: try row(names.map(printable))
    case .text, .jsonl, .hex, .prometheus: break
    }
  }

  func print(_ object: [StoredValue.Entry]) throws {
    defer { isFirst = false }
    switch format {
    case .json:
      try output.write(isFirst ? "\n" : ",\n")
      try output.write(json: object)
    case .jsonl:
      try output.write(json: object)
      try output.endLine()
    // An empty cell is nil; an empty text is a pair of quotes.
    case .csv:
      try row(object.map { $0.value == .null ? "" : StoredText.text($0.value) }, quotingEmpty: object.map { $0.value != .null })
    case .text, .hex, .prometheus:
      try output.line(object.map { "\(printable($0.name))=\(StoredText.text($0.value))" }.joined(separator: "\t"))
    }
  }

  func end() throws { if format == .json { try output.line(isFirst ? "]" : "\n]") } }

  private func row(_ cells: [String], quotingEmpty: [Bool]? = nil) throws {
    for (index, cell) in cells.enumerated() {
      if index > 0 { try output.write(",") }
      if cell.isEmpty, quotingEmpty?[index] == true { try output.write("\"\"") } else { try output.write(csvCell: cell) }
    }
    try output.endLine()
  }
}
