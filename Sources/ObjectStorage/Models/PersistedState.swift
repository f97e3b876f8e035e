/// What `@Persisted(…)` says of a property.
@usableFromInline package struct PersistedOptions: Sendable {
  package let primaryKey: Bool
  package let indexed: Bool
  package let fullText: Bool
  package let deleteRule: StorageDeleteRule

  @usableFromInline package init(
    primaryKey: Bool = false, indexed: Bool = false, fullText: Bool = false, deleteRule: StorageDeleteRule = .nullify
  ) {
    self.primaryKey = primaryKey
    self.indexed = indexed
    self.fullText = fullText
    self.deleteRule = deleteRule
  }
}

/// What a property was declared with, or what the memberwise init was given.
@usableFromInline final class PersistedDeclaration<Value: PersistableValue>: Sendable {
  /// nil without a default value.
  @usableFromInline let value: Value?
  let options: PersistedOptions

  @usableFromInline init(_ value: Value?, _ options: PersistedOptions) {
    self.value = value
    self.options = options
    _ = ModelClock.start
  }
}

/// A value of the property's own, and where the property was before.
@usableFromInline final class PersistedAssignment<Value: PersistableValue>: Sendable {
  @usableFromInline typealias State = Persisted<Value>.State

  @usableFromInline let value: Value
  /// The declaration, or the row that the object was read from; never another assignment.
  let origin: State
  /// How often it was assigned. An `init()` that assigns does so as often each time: one more was the app, afterwards.
  let count: UInt32

  @usableFromInline convenience init(_ value: Value, after state: State) {
    self.init(value, after: Self.origin(of: state), count: Self.count(of: state))
  }

  @usableFromInline init(_ value: Value, after origin: State, count: UInt32) {
    self.value = value
    self.origin = origin
    self.count = count &+ 1
  }

  @usableFromInline static func origin(of state: State) -> State {
    if case .assigned(let assignment) = state { assignment.origin } else { state }
  }

  @usableFromInline static func count(of state: State) -> UInt32 {
    if case .assigned(let assignment) = state { assignment.count } else { 0 }
  }
}
