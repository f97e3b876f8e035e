#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A value without its Swift type: for literals, defaults, migrations and kvtool.
package enum StoredValue: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  /// A Float too.
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case data([UInt8])
  /// Seconds since the reference date, 1 January 2001.
  case date(Double)
  case uuid(UUID)
  /// A set too, in the order in which it is stored.
  case list([StoredValue])
  /// Ordered by the keys' bytes.
  case map([Entry])
  /// An embedded struct, by the names of its properties.
  case object([Entry])

  /// One value under a name or a key.
  package struct Entry: Sendable, Equatable {
    package let name: String
    package let value: StoredValue

    package init(_ name: String, _ value: StoredValue) {
      self.name = name
      self.value = value
    }

    /// The names byte by byte: canonical equality would call different keys the same.
    package static func == (a: Entry, b: Entry) -> Bool { a.name.utf8.elementsEqual(b.name.utf8) && a.value == b.value }
  }
}

extension StoredValue: Equatable {
  /// Bit by bit: NaN equals the same NaN, -0.0 isn't 0.0, and text is compared by its UTF-8.
  package static func == (a: StoredValue, b: StoredValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.decimal(let a), .decimal(let b)): a.isNaN == b.isNaN && (a.isNaN || a == b)
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
    case (.uuid(let a), .uuid(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }
}
