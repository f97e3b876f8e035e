/// One way in which the file's schema and the code's differ.
public struct SchemaDifference: Sendable, Hashable, CustomStringConvertible {
  /// What is different.
  public enum Kind: Sendable, Hashable {
    /// The code lists a type that the file hasn't.
    case typeAdded
    /// The file has a type that the code doesn't list.
    case typeRemoved
    /// The code lists a property that the file hasn't.
    case propertyAdded
    /// The file has a property that the code doesn't list.
    case propertyRemoved
    /// Both have the property, with values of different types.
    case propertyTypeChanged(from: String, to: String)
    /// Another property is the primary key, or none is.
    case primaryKeyChanged
    /// The code declares an index that the file hasn't.
    case indexAdded
    /// The file has an index that the code doesn't declare.
    case indexRemoved
  }
  /// The type's name in the file.
  public let type: String
  /// The property; of an index over several their names, joined by `+`.
  public let property: String?
  /// What is different.
  public let kind: Kind
  /// Whether it needs no code and no new version.
  public let isAdditive: Bool

  package init(type: String, property: String? = nil, kind: Kind, isAdditive: Bool) {
    self.type = type
    self.property = property
    self.kind = kind
    self.isAdditive = isAdditive
  }

  /// One line for people.
  public var description: String {
    let place = property.map { "\(type).\($0)" } ?? type
    return switch kind {
    case .typeAdded: "\(place) is new"
    case .typeRemoved: "\(place) isn't listed any more"
    case .propertyAdded: "\(place) is new"
    case .propertyRemoved: "\(place) isn't listed any more"
    case .propertyTypeChanged(let from, let to): "\(place) was \(from) and is \(to)"
    case .primaryKeyChanged: "\(place) has another primary key"
    case .indexAdded: "\(place) has a new index"
    case .indexRemoved: "\(place) has an index no more"
    }
  }
}
