/// What a `DatabaseQuery` says, without its element's type: steps, applied as written.
package struct QueryForm: Sendable, Equatable {
  /// Neighbouring conditions are one, ANDed.
  package private(set) var steps: [QueryStep] = []

  package init() {}

  /// Adds a step behind the others.
  package mutating func append(_ step: QueryStep) {
    switch (steps.last, step) {
    case (.filter(let first), .filter(let second)): steps[steps.count - 1] = .filter(.conjunction(first, second))
    case (.sort(let first), .sort(let second)): steps[steps.count - 1] = .sort(first + second)
    case (_, .sort(let sorts)) where sorts.isEmpty: break
    default: steps.append(step)
    }
  }

  /// With one step more.
  package func appending(_ step: QueryStep) -> QueryForm {
    var form = self
    form.append(step)
    return form
  }
}

extension QueryForm {
  /// Gives as many results, in whatever order: nothing has to be sorted to count them.
  ///
  /// How many there are depends on the order only where a place in it counts, or where something is asked of what some step left of it.
  package var forCounting: QueryForm {
    var isCut = false
    for step in steps {
      switch step {
      case .after: return self
      case .limit, .offset: isCut = true
      case .filter: if isCut { return self }
      case .distinct:
        if isCut { return self }
        isCut = true
      case .sort: break
      }
    }
    var form = QueryForm()
    for step in steps { if case .sort = step { continue } else { form.append(step) } }
    return form
  }
}

extension QueryForm: CustomStringConvertible {
  /// Reads the grammar that `description` prints.
  /// - Throws: ``QueryError/syntax(text:offset:expected:)``.
  package init(text: String) throws(QueryError) { self = try QueryParser.form(text) }

  package var description: String { QueryPrinter.text(self) }
}

/// One step of a query.
package enum QueryStep: Sendable, Equatable {
  case filter(QueryExpression)
  case sort([QuerySort])
  case distinct(QueryExpression)
  /// Not negative, as is `offset`.
  case limit(Int)
  case offset(Int)
  case after(StorageCursor)
}

/// One criterion of an order.
package struct QuerySort: Sendable, Equatable {
  package let expression: QueryExpression
  package let ascending: Bool

  package init(_ expression: QueryExpression, ascending: Bool) {
    self.expression = expression
    self.ascending = ascending
  }
}
