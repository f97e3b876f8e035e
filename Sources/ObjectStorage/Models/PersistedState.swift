public import RawMemory

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

/// What a property is: as declared, assigned, or as a row has it.
///
/// One word and a property number, whatever the value's type is: so models may refer to each other in circles, and a row is put into a
/// value without knowing the types of its properties. Not an enum: reading a row's value would then count its references.
@usableFromInline package struct PersistedState: Sendable {
  /// A `Row`, or the `PersistedValueBox<Value>` of a `Persisted<Value>`, unless `number` says otherwise.
  @usableFromInline let object: (any AnyObject & Sendable)?
  /// Of a row, or one of the numbers below.
  @usableFromInline let number: UInt16

  @usableFromInline static let declared: UInt16 = 0xFFFF
  @usableFromInline static let assigned: UInt16 = 0xFFFE
  /// Declared without a default value: the object is a plain `PersistedBox`.
  @usableFromInline static let unset: UInt16 = 0xFFFC
  /// Without an object: of the value that rows are put into, where there is nothing to count references of.
  @usableFromInline static let none: UInt16 = 0xFFFD
  /// No model has more properties.
  @usableFromInline static let propertyMax: UInt16 = 0xFFF0

  @inlinable init(_ object: (any AnyObject & Sendable)?, _ number: UInt16) {
    self.object = object
    self.number = number
  }

  @inlinable static func declared(_ box: PersistedBox) -> PersistedState { PersistedState(box, declared) }
  @inlinable static func unset(_ box: PersistedBox) -> PersistedState { PersistedState(box, unset) }
  @inlinable static func assigned(_ box: PersistedBox) -> PersistedState { PersistedState(box, assigned) }
  @inlinable static func stored(_ row: Row, _ property: UInt16) -> PersistedState { PersistedState(row, property) }
  static var blank: PersistedState { PersistedState(nil, none) }

  enum Form {
    case declared(PersistedBox)
    case assigned(PersistedBox)
    case stored(Row, property: Int)
    case unset(PersistedBox)
    case blank
  }

  var form: Form {
    switch (object, number) {
    case (nil, _): .blank
    case (let object?, Self.declared): .declared(KnownClass.cast(object, to: PersistedBox.self))
    case (let object?, Self.assigned): .assigned(KnownClass.cast(object, to: PersistedBox.self))
    case (let object?, Self.unset): .unset(KnownClass.cast(object, to: PersistedBox.self))
    case (let object?, let property): .stored(KnownClass.cast(object, to: Row.self), property: Int(property))
    }
  }

  /// The value, where it isn't a row's.
  @inlinable func ownValue<Value: PersistableValue>(as type: Value.Type) -> Value {
    if let object, number >= Self.assigned {
      KnownClass.cast(object, to: PersistedValueBox<Value>.self).value
    } else {
      Value._placeholder
    }
  }

  /// What it was before it was assigned.
  @usableFromInline var origin: PersistedState { if case .assigned(let box) = form { box.origin ?? self } else { self } }

  @usableFromInline var assignmentCount: UInt32 { if case .assigned(let box) = form { box.assignmentCount } else { 0 } }

  /// Whether it is a row's value, or one that was only changed since, never replaced.
  @usableFromInline var isInPlace: Bool {
    switch form {
    case .stored: true
    case .assigned(let box): box.isInPlace
    case .declared, .unset, .blank: false
    }
  }

  var options: PersistedOptions {
    switch form {
    case .declared(let box), .unset(let box): box.options
    case .assigned(let box): box.origin?.options ?? box.options
    case .stored, .blank: PersistedOptions()
    }
  }
}

/// A value of the property's own.
///
/// Immutable, and so is what its only subclass adds; `@unchecked` because a class with a subclass can't be checked.
@usableFromInline package class PersistedBox: @unchecked Sendable {
  final let options: PersistedOptions
  /// Of an assigned value: the declaration, or the row that the object was read from; never another assignment.
  @usableFromInline final let origin: PersistedState?
  /// How often it was assigned. An `init()` that assigns does so as often each time: one more was the app, afterwards.
  @usableFromInline final let assignmentCount: UInt32
  /// Whether the value is the origin's with changes, as by `insert`; false for one that was put in its place.
  final let isInPlace: Bool

  @usableFromInline convenience init(_ options: PersistedOptions) {
    self.init(options: options, origin: nil, assignmentCount: 0, isInPlace: false)
  }

  @usableFromInline init(options: PersistedOptions, origin: PersistedState?, assignmentCount: UInt32, isInPlace: Bool) {
    self.options = options
    self.origin = origin
    self.assignmentCount = assignmentCount
    self.isInPlace = isInPlace
  }

  var storedValue: StoredValue { .null }
  /// Appends what a row has of the value. - Returns: false for nil, when nothing is appended.
  func append(to bytes: inout [UInt8], fields: RowMapping?) -> Bool { false }
}

/// The box of a `Persisted<Value>`.
@usableFromInline final class PersistedValueBox<Value: PersistableValue>: PersistedBox, @unchecked Sendable {
  @usableFromInline let value: Value

  @usableFromInline init(declared value: Value, _ options: PersistedOptions) {
    self.value = value
    _ = ModelClock.start
    super.init(options: options, origin: nil, assignmentCount: 0, isInPlace: false)
  }

  @usableFromInline init(assigned value: Value, after origin: PersistedState, count: UInt32, isInPlace: Bool = false) {
    self.value = value
    super.init(options: PersistedOptions(), origin: origin, assignmentCount: count &+ 1, isInPlace: isInPlace)
  }

  override var storedValue: StoredValue { value.storedValue }

  override func append(to bytes: inout [UInt8], fields: RowMapping?) -> Bool {
    if value._isNull { return false }
    if isInPlace, case .stored(let row, let property)? = origin?.form, let range = row.storedRange(of: property) {
      value._append(to: &bytes, fields, keepingUnknownOf: row.bytes, range)
    } else {
      value._append(to: &bytes, fields)
    }
    return true
  }
}
