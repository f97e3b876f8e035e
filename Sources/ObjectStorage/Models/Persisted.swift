public import RawMemory

/// A stored property of a model.
///
/// What `save` writes over an existing row (with `.modified`): the properties assigned after `init`, and those that `init` gave
/// a value other than the declared default. To write a default over an existing value, assign it or save with `.all`. Of a value
/// read from the store, what was assigned since it was read. A new row gets every property.
///
/// A default that is another one each time can't be told from a value given to `init`. With a default of `Date()`, a date from before
/// the process used its first model, or one to come, was given; with one of `UUID()` none was. Assign such a property to be sure.
@propertyWrapper
public struct Persisted<Value: PersistableValue>: Sendable {
  @usableFromInline package var state: PersistedState

  /// The value: the declared default, what was assigned, or what the row has. Reading a row's value decodes it each time.
  public var wrappedValue: Value {
    @inlinable get {
      if state.number <= PersistedState.propertyMax {
        let property = Int(state.number)
        return KnownClass.lend(state.object, as: Row.self) { $0.value(at: property, as: Value.self) }
      }
      return state.ownValue(as: Value.self)
    }
    @inlinable set {
      state = .assigned(PersistedValueBox(assigned: newValue, after: state.origin, count: state.assignmentCount))
    }
    @inlinable _modify {
      // While the caller has it the wrapper doesn't: a collection is changed in its own buffer.
      var value = wrappedValue
      let (count, isInPlace) = (state.assignmentCount, state.isInPlace)
      state = state.origin
      defer { state = .assigned(PersistedValueBox(assigned: value, after: state, count: count, isInPlace: isInPlace)) }
      yield &value
    }
  }

  /// `object.$name`: what the property knows beside its value.
  public var projectedValue: Persisted<Value> { self }
  /// Whether it was assigned since the object was made or read.
  public var isAssigned: Bool { if case .assigned = state.form { true } else { false } }
  /// An enum property whose stored raw value this build doesn't know.
  public var hasUnknownRawValue: Bool {
    if case .stored(let row, let property) = state.form { !row.isKnown(at: property, as: Value.self) } else { false }
  }

  /// Without a default value: nil, zero, empty or the first case.
  @inlinable public init() { state = .unset(PersistedBox(PersistedOptions())) }
  /// With a default value.
  @inlinable public init(wrappedValue: Value) { state = .declared(PersistedValueBox(declared: wrappedValue, PersistedOptions())) }
  /// Without a default value: the type then needs an `init() {}` of its own if it wants others.
  /// - Parameters:
  ///   - primaryKey: of one property at most, the `id` of an `IdentifiableStorage`.
  ///   - indexed: keeps an index for equality, ranges and order.
  ///   - fullText: of a string, an index for `search`; not in this version, in which opening a store with such a type is
  ///     `StorageError.invalidSchema`.
  ///   - deleteRule: of a link, what happens to its target.
  @inlinable public init(
    primaryKey: Bool = false, indexed: Bool = false, fullText: Bool = false, deleteRule: StorageDeleteRule = .nullify
  ) {
    let options = PersistedOptions(primaryKey: primaryKey, indexed: indexed, fullText: fullText, deleteRule: deleteRule)
    state = .unset(PersistedBox(options))
  }
  /// With a default value.
  /// - Parameters:
  ///   - wrappedValue: the default.
  ///   - primaryKey: of one property at most, the `id` of an `IdentifiableStorage`.
  ///   - indexed: keeps an index for equality, ranges and order.
  ///   - fullText: of a string, an index for `search`; not in this version, in which opening a store with such a type is
  ///     `StorageError.invalidSchema`.
  ///   - deleteRule: of a link, what happens to its target.
  @inlinable public init(
    wrappedValue: Value, primaryKey: Bool = false, indexed: Bool = false, fullText: Bool = false,
    deleteRule: StorageDeleteRule = .nullify
  ) {
    let options = PersistedOptions(primaryKey: primaryKey, indexed: indexed, fullText: fullText, deleteRule: deleteRule)
    state = .declared(PersistedValueBox(declared: wrappedValue, options))
  }
}
