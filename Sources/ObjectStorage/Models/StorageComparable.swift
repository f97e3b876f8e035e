#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value with an order: what can be sorted, compared with `<`, indexed by range, and be a minimum.
///
/// nil comes first, NaN last; strings are ordered by the bytes of their NFC form.
public protocol StorageComparable: PersistableValue {
  /// The type without its optional.
  associatedtype StorageUnwrapped: StorageComparable = Self
}
extension Bool: StorageComparable {}
extension Int: StorageComparable {}
extension Int8: StorageComparable {}
extension Int16: StorageComparable {}
extension Int32: StorageComparable {}
extension Int64: StorageComparable {}
extension UInt: StorageComparable {}
extension UInt8: StorageComparable {}
extension UInt16: StorageComparable {}
extension UInt32: StorageComparable {}
extension UInt64: StorageComparable {}
extension Float: StorageComparable {}
extension Double: StorageComparable {}
extension String: StorageComparable {}
extension Decimal: StorageComparable {}
extension Data: StorageComparable {}
extension Date: StorageComparable {}
extension UUID: StorageComparable {}
extension Optional: StorageComparable where Wrapped: StorageComparable {
  /// The type without its optional.
  public typealias StorageUnwrapped = Wrapped.StorageUnwrapped
}
