@testable import ObjectStorage

extension JudgeTranslation {
  /// The one value of an expression.
  mutating func column(_ expression: QueryExpression, _ scopes: [JudgeItem]) throws -> JudgeColumn {
    switch expression {
    case .element(let scope):
      if case .value(let column) = scopes[scope] { return column }
    case .property(of: .element(let scope), let name):
      switch scopes[scope] {
      case .row(let alias): return Self.property(name, of: alias)
      case .place(let alias): return JudgeColumn("\(alias).\(name)")
      case .value: break
      }
    case .property(of: .property(of: .element(let scope), let outer), let name):
      if case .row(let alias) = scopes[scope] { return JudgeColumn("\(alias).\"\(outer).\(name)\"") }
    case .mapValue(let base, let key):
      let source = try self.source(base, scopes)
      let key = parameter(JudgeTable.text(key))
      return JudgeColumn(source.select("\(source.alias).value", where: "\(source.alias).key = \(key)"))
    case .measure(let measure, let base): return try measured(measure, try source(base, scopes))
    default: break
    }
    throw JudgeError(reason: "no column: \(expression)")
  }

  private static func property(_ name: String, of alias: String) -> JudgeColumn {
    let kind: JudgeColumn.Kind =
      switch name {
      case "score", "ratio": .double
      case "big": .unsigned
      default: .plain
      }
    return JudgeColumn("\(alias).\"\(name)\"", kind)
  }

  private func value(of source: JudgeSource) throws -> JudgeColumn {
    guard case .value(let column) = source.item else { throw JudgeError(reason: "a collection of structs has no one value") }
    return column
  }

  private func measured(_ measure: QueryMeasure, _ source: JudgeSource) throws -> JudgeColumn {
    switch measure {
    case .count: return JudgeColumn(source.select("count(*)"))
    case .isEmpty: return JudgeColumn("NOT \(source.exists("1"))")
    case .min, .max:
      let column = try value(of: source)
      let found = source.select("\(measure.rawValue)(\(column.sql))")
      guard column.kind == .double else { return JudgeColumn(found) }
      // NaN counts only where there is nothing else.
      let numbers = source.select("\(measure.rawValue)(\(column.sql))", where: "typeof(\(column.sql)) <> 'text'")
      return JudgeColumn("coalesce(\(numbers), \(found))", .double)
    case .sum: return JudgeColumn(source.select("coalesce(sum(\(try value(of: source).sql)), 0)"))
    case .avg: return JudgeColumn(source.select("avg(\(try value(of: source).sql))"), .double)
    }
  }

  // MARK: Collections

  /// Whether an expression stands for many values.
  func isCollection(_ expression: QueryExpression, _ scopes: [JudgeItem]) -> Bool {
    switch expression {
    case .mapKeys, .mapValues, .filter: true
    case .property(of: .element(let scope), let name):
      switch scopes[scope] {
      case .row: ["places", "scores", "tags", "optionals", "attributes"].contains(name)
      case .place: name == "tags"
      case .value: false
      }
    case .property(let base, _): isCollection(base, scopes)
    default: false
    }
  }

  mutating func source(_ expression: QueryExpression, _ scopes: [JudgeItem]) throws -> JudgeSource {
    switch expression {
    case .property(of: .element(let scope), let name):
      let alias = self.name(name)
      switch scopes[scope] {
      case .row(let row):
        let item =
          name == "places" ? JudgeItem.place(alias) : .value(JudgeColumn("\(alias).value", name == "optionals" ? .double : .plain))
        return JudgeSource(table: name, alias: alias, condition: "\(alias).owner = \(row).id", item: item)
      case .place(let place) where name == "tags":
        let condition = "\(alias).owner = \(place).owner AND \(alias).position = \(place).position"
        return JudgeSource(
          table: "placeTags", alias: alias, condition: condition, item: .value(JudgeColumn("\(alias).value")))
      default: break
      }
    case .property(let base, let name):
      var source = try self.source(base, scopes)
      source.item = .value(JudgeColumn("\(source.alias).\(name)"))
      return source
    case .mapKeys(let base):
      var source = try self.source(base, scopes)
      source.item = .value(JudgeColumn("\(source.alias).key"))
      return source
    case .mapValues(let base): return try source(base, scopes)
    case .filter(let base, let condition):
      var source = try self.source(base, scopes)
      source.condition += " AND \(try self.condition(condition, scopes + [source.item]))"
      return source
    default: break
    }
    throw JudgeError(reason: "no collection: \(expression)")
  }
}
