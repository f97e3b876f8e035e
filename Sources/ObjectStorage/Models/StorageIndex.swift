/// An index over one or more properties, declared in `StorageObject.indexes`.
///
/// Serves equality on its first properties, then one range, then the order of the rest, in either direction.
public struct StorageIndex<Object: StorageObject>: Sendable {
  package let properties: [any PartialKeyPath<Object> & Sendable]
  package let isUnique: Bool

  /// An index over these properties, in this order.
  public static func index(_ properties: any PartialKeyPath<Object> & Sendable...) -> Self {
    Self(properties: properties, isUnique: false)
  }
  /// No two objects share these values; nil differs from nil. A clash is `StorageError.duplicateKey`.
  public static func unique(_ properties: any PartialKeyPath<Object> & Sendable...) -> Self {
    Self(properties: properties, isUnique: true)
  }
}
