/// Names as the grammar takes them, in backticks where they would mean something else.
enum QueryNameText {
  /// At the beginning of a path.
  static func first(_ name: String) -> String { text(name, reserved: QueryWords.literals) }
  /// Behind a dot.
  static func member(_ name: String) -> String { text(name, reserved: QueryWords.members) }
  /// Where only a name can stand.
  static func argument(_ name: String) -> String { text(name, reserved: []) }

  private static func text(_ name: String, reserved: Set<String>) -> String {
    if QueryWords.isPlainName(name), !reserved.contains(name) { return name }
    return QueryValueText.delimited(name, by: "`")
  }
}
