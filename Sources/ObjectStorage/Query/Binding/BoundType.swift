/// What is known of an operand before any row is read.
struct BoundType: Sendable {
  var kind: ColumnKind
  var isOptional = false
  var element: ColumnKind?
  var isElementOptional = false
  var fields: TypeSchema?
  /// Whether it stands for a value of each element of a collection: a condition then asks for any of them.
  var isMultiple = false

  init(_ kind: ColumnKind, isOptional: Bool = false, isMultiple: Bool = false) {
    self.kind = kind
    self.isOptional = isOptional
    self.isMultiple = isMultiple
  }

  init(_ column: ColumnSchema) {
    kind = column.kind
    isOptional = column.isOptional
    element = column.element
    isElementOptional = column.isElementOptional
    fields = column.fields
  }

  var isCollection: Bool { kind == .list || kind == .set }

  /// Of one element, or of one of the map's values.
  var elementType: BoundType {
    var type = BoundType(element ?? kind, isOptional: isElementOptional)
    type.fields = fields
    return type
  }

  /// As the code spells it.
  var name: String {
    let item = element.map { $0.swiftName + (isElementOptional ? "?" : "") } ?? "?"
    return switch kind {
    case .list, .set: "\(kind.swiftName)<\(item)>"
    case .map: "Map<String, \(item)>"
    default: kind.swiftName + (isOptional ? "?" : "")
    }
  }
}
