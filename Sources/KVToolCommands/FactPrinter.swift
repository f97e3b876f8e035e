/// Names and values, as indented lines or as one object of JSON.
final class FactPrinter {
  private let output: Output
  private let isJSON: Bool
  /// Whether nothing stands yet in each of the open objects and lists.
  private var isEmpty: [Bool] = []
  private var depth = 0

  init(_ invocation: Invocation) {
    output = invocation.output
    isJSON = invocation.format == .json
  }

  /// Begins an object; for people, with what it is about as its title.
  ///
  /// - Parameter name: of that in JSON.
  func open(_ path: String?, as name: String = "path") throws {
    if isJSON {
      try separate()
      try output.write("{")
      isEmpty.append(true)
      if let path { try add(name, path) }
    } else if let path {
      try output.line(indent + printable(path) + ":")
      depth += 1
    }
  }

  /// Begins a group of facts under a name.
  func openGroup(_ name: String) throws {
    if isJSON {
      try self.name(name)
      try output.write("{")
      isEmpty.append(true)
    } else {
      try output.line("\(indent)\(Self.words(name)):")
      depth += 1
    }
  }

  func close() throws {
    if !isJSON {
      depth = max(0, depth - 1)
      return
    }
    isEmpty.removeLast()
    try output.write("}")
    if isEmpty.isEmpty { try output.endLine() }
  }

  func openList(_ name: String) throws {
    if isJSON {
      try self.name(name)
      try output.write("[")
    }
    isEmpty.append(true)
  }

  func closeList() throws {
    isEmpty.removeLast()
    if isJSON { try output.write("]") }
  }

  func add(_ name: String, _ value: String) throws {
    if isJSON {
      try self.name(name)
      try output.write(json: value)
    } else {
      try output.line("\(indent)\(Self.words(name)): \(printable(value))")
    }
  }

  func add(_ name: String, number: UInt64) throws {
    if isJSON {
      try self.name(name)
      try output.write(json: number)
    } else {
      try output.line("\(indent)\(Self.words(name)): \(number)")
    }
  }

  func add(_ name: String, flag: Bool) throws {
    if isJSON {
      try self.name(name)
      try output.write(flag ? "true" : "false")
    } else {
      try output.line("\(indent)\(Self.words(name)): \(flag ? "yes" : "no")")
    }
  }

  private var indent: String { String(repeating: "  ", count: depth) }

  private func name(_ name: String) throws {
    try separate()
    try output.write(json: name)
    try output.write(":")
  }

  private func separate() throws {
    guard let last = isEmpty.indices.last else { return }
    if !isEmpty[last] { try output.write(",") }
    isEmpty[last] = false
  }

  /// `pendingByteCount` as `pending byte count`.
  static func words(_ name: String) -> String {
    if name.contains(" ") { return name }
    var words = ""
    var wasUpper = true
    for character in name {
      if character.isUppercase, !wasUpper { words += " " }
      wasUpper = character.isUppercase
      words += character.lowercased()
    }
    return words
  }
}
