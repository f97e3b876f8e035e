/// A reference that isn't counted, to an object that its owner keeps.
@safe public struct Lent<T: AnyObject> {
  @usableFromInline let reference: Unmanaged<T>?

  /// The owner makes another, or one of nil, before it lets go of the object.
  @inlinable public init(_ object: T?) { unsafe reference = object.map { unsafe Unmanaged.passUnretained($0) } }

  /// Lends the object, which the owner keeps until `body` returns.
  @inlinable @inline(__always) public func with<R>(orElse absent: R, _ body: (T) -> R) -> R {
    guard let reference = unsafe reference else { return absent }
    return unsafe reference._withUnsafeGuaranteedRef { body($0) }
  }
}

/// Uses of an object as one of a class that the caller knows it to have, without looking.
@safe public enum KnownClass {
  /// Checked in debug builds only: who put the object there put one of this class.
  @inlinable public static func cast<T: AnyObject>(_ object: AnyObject, to type: T.Type) -> T {
    unsafe unsafeDowncast(object, to: type)
  }

  /// Lends the object, which isn't nil, without counting a reference: the caller's own keeps it until `body` returns.
  @inlinable public static func lend<T: AnyObject, R>(_ object: AnyObject?, as type: T.Type, _ body: (T) -> R) -> R {
    unsafe Unmanaged.passUnretained(unsafeDowncast(object!, to: type))._withUnsafeGuaranteedRef { body($0) }
  }
}
