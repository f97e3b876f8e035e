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
