#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value that can be summed and averaged. Optionals count where they hold a value.
public protocol StorageNumeric: StorageComparable {
  /// Int for the signed integers, UInt for the unsigned ones, Double for Float, else the type itself.
  associatedtype StorageSum: PersistableValue & Numeric
  /// Decimal for Decimal, else Double.
  associatedtype StorageAverage: PersistableValue & Numeric
}

extension Int: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = Int
  /// Of its averages.
  public typealias StorageAverage = Double
}

extension Int8: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = Int
  /// Of its averages.
  public typealias StorageAverage = Double
}

extension Int16: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = Int
  /// Of its averages.
  public typealias StorageAverage = Double
}

extension Int32: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = Int
  /// Of its averages.
  public typealias StorageAverage = Double
}

extension Int64: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = Int
  /// Of its averages.
  public typealias StorageAverage = Double
}

extension UInt: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = UInt
  /// Of its averages.
  public typealias StorageAverage = Double
}

extension UInt8: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = UInt
  /// Of its averages.
  public typealias StorageAverage = Double
}

extension UInt16: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = UInt
  /// Of its averages.
  public typealias StorageAverage = Double
}

extension UInt32: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = UInt
  /// Of its averages.
  public typealias StorageAverage = Double
}

extension UInt64: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = UInt
  /// Of its averages.
  public typealias StorageAverage = Double
}

extension Float: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = Double
  /// Of its averages.
  public typealias StorageAverage = Double
}

extension Double: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = Double
  /// Of its averages.
  public typealias StorageAverage = Double
}

extension Decimal: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = Decimal
  /// Of its averages.
  public typealias StorageAverage = Decimal
}

extension Optional: StorageNumeric where Wrapped: StorageNumeric {
  /// Of its sums.
  public typealias StorageSum = Wrapped.StorageSum
  /// Of its averages.
  public typealias StorageAverage = Wrapped.StorageAverage
}
