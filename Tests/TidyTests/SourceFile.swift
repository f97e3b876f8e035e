/// A text file of the tree, as the rules see it.
struct SourceFile: Sendable {
  /// Relative to the package's root, with `/` between its components.
  let path: String
  /// As they stand in the file.
  let lines: [Substring]
  /// Line by line what remains of a Swift file without its comments and the text of its strings; `lines` in any other file.
  let codeLines: [Substring]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    codeLines =
      path.hasSuffix(".swift")
      ? SwiftCode.withoutCommentsAndStrings(text).split(separator: "\n", omittingEmptySubsequences: false) : lines
  }

  var text: String { lines.joined(separator: "\n") }
  var name: Substring { path.split(separator: "/").last ?? "" }
  var isSwift: Bool { path.hasSuffix(".swift") }
  var isSwiftOrC: Bool { [".swift", ".c", ".h"].contains { path.hasSuffix($0) } }

  /// The lines a person would count: a newline at the end starts none.
  var lineCount: Int { lines.last == "" ? lines.count - 1 : lines.count }

  /// Whether the file is below one of these directories.
  func isIn(_ directories: String...) -> Bool { directories.contains { path.hasPrefix($0 + "/") } }

  /// The target whose sources these are, for a file below `Sources`.
  var target: Substring? {
    let components = path.split(separator: "/")
    return components.count > 2 && components[0] == "Sources" ? components[1] : nil
  }

  /// Whether the name says that the file is about one platform.
  var isNamedForPlatform: Bool { path.hasSuffix("+Linux.swift") || isNamedForDarwin }
  /// Whether it is about Apple's systems.
  var isNamedForDarwin: Bool { path.hasSuffix("+Darwin.swift") || path.hasSuffix("+CryptoKit.swift") }
}

/// A place where a rule is broken.
struct Finding: CustomStringConvertible, Equatable {
  let path: String
  let line: Int
  let message: String

  var description: String { "\(path):\(line): \(message)" }
}

extension SourceFile {
  func finding(_ line: Int, _ message: String) -> Finding { Finding(path: path, line: line, message: message) }

  /// A finding for each line of the code that `message` objects to.
  func findings(in lines: [Substring], _ message: (Substring) -> String?) -> [Finding] {
    lines.enumerated().compactMap { index, line in message(line).map { finding(index + 1, $0) } }
  }
}

extension Substring {
  /// The identifiers, keywords and numbers, in order.
  var words: [Substring] { split { !($0.isLetter || $0.isNumber || $0 == "_") } }
  var trimmed: Substring {
    var rest = drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
