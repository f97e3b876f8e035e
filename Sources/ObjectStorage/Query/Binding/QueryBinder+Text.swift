extension QueryBinder {
  mutating func text(
    _ test: QueryTextTest, _ operand: QueryExpression, _ text: String, _ options: StringOptions, _ expression: QueryExpression
  ) throws(QueryError) -> BoundCondition {
    let (value, type) = try self.operand(operand)
    guard type.kind == .string else { throw mismatch(operand, "String", type.name) }
    switch test {
    case .equals where options.isEmpty: return Self.asked(.compare(.equal, .string(text)), of: value, type)
    case .equals, .contains, .starts, .ends: return Self.asked(.text(test, text, options), of: value, type)
    case .like: return Self.asked(Self.like(text, options), of: value, type)
    case .matches:
      do throws(PatternFailure) {
        return Self.asked(.pattern(.expression(try PatternProgram(text, options)), options), of: value, type)
      } catch {
        throw .invalidPattern(part: part(expression), reason: error.reason)
      }
    }
  }

  /// Stars at the ends alone are what the simpler tests ask, which are faster and which an index may answer.
  private static func like(_ pattern: String, _ options: StringOptions) -> ColumnQuestion {
    let like = LikePattern(pattern, options)
    guard let pieces = like.pieces, pieces.count <= 3 else { return .pattern(.like(like), options) }
    let texts = pieces.map { String(decoding: $0, as: UTF8.self) }
    switch (pieces.count, pieces.first?.isEmpty, pieces.last?.isEmpty) {
    case (1, _, _): return options.isEmpty ? .compare(.equal, .string(texts[0])) : .text(.equals, texts[0], options)
    case (2, _, true): return .text(.starts, texts[0], options)
    case (2, true, _): return .text(.ends, texts[1], options)
    case (3, true, true): return .text(.contains, texts[1], options)
    default: return .pattern(.like(like), options)
    }
  }

  /// Of a text, or of a collection.
  mutating func contains(
    _ operand: QueryExpression, _ literal: StoredValue, _ expression: QueryExpression
  ) throws(QueryError) -> BoundCondition {
    let (value, type) = try self.operand(operand)
    if type.kind == .string {
      guard case .string(let text) = literal else { throw mismatch(expression, "String", literal.kindName) }
      return Self.asked(.text(.contains, text, []), of: value, type)
    }
    guard type.isCollection else { throw mismatch(operand, "String or a collection", type.name) }
    let element = type.elementType
    if literal == .null { return .node(ElementNode(value, PresenceTest(isNull: true, shape: nil))) }
    guard element.kind.isOrdered else { throw Self.whole(part(operand), element) }
    switch CoercedLiteral(literal, element.kind) {
    case .value(let literal):
      return .node(ElementNode(value, ColumnQuestion.compare(.equal, literal).test(element.kind, shape: nil)))
    case .mismatch: throw mismatch(expression, element.name, literal.kindName)
    case .below, .above: return .constant(false)
    }
  }
}
