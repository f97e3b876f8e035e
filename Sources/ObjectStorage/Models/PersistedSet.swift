public import RawMemory

/// A set, stored in its owner's row, in the order of its elements; they are told apart by what is stored of them, so they needn't
/// be Hashable.
public struct PersistedSet<Element: PersistableValue>: Sendable {
  private var items: [Element] = []
  /// What each element is ordered and told apart by.
  private var identities: [[UInt8]] = []
  /// Raw values of an enum that this build doesn't know: not to be seen, and written with the rest.
  private var unknown: [[UInt8]] = []

  /// An empty one.
  public init() {}
  /// The elements of a sequence, each once.
  public init(_ elements: some Sequence<Element>) {
    let pairs = elements.map { (element: $0, identity: $0.storedValue.identity) }
    for pair in pairs.sorted(by: { $0.identity.lexicographicallyPrecedes($1.identity) }) where identities.last != pair.identity {
      items.append(pair.element)
      identities.append(pair.identity)
    }
  }

  /// Adds an element. - Returns: false when it was there.
  @discardableResult public mutating func insert(_ element: Element) -> Bool {
    let identity = element.storedValue.identity
    let position = position(of: identity)
    if position < items.count, identities[position] == identity { return false }
    items.insert(element, at: position)
    identities.insert(identity, at: position)
    return true
  }

  /// Takes an element out. - Returns: false when it wasn't there.
  @discardableResult public mutating func remove(_ element: Element) -> Bool {
    let identity = element.storedValue.identity
    let position = position(of: identity)
    guard position < items.count, identities[position] == identity else { return false }
    items.remove(at: position)
    identities.remove(at: position)
    return true
  }

  /// Whether the element is there. - Complexity: O(log *n*).
  public func contains(_ element: Element) -> Bool {
    let identity = element.storedValue.identity
    let position = position(of: identity)
    return position < items.count && identities[position] == identity
  }

  private func position(of identity: [UInt8]) -> Int {
    var low = 0
    var high = identities.count
    while low < high {
      let middle = (low + high) / 2
      if identities[middle].lexicographicallyPrecedes(identity) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
/// Realm's name.
public typealias MutableSet<Element: PersistableValue> = PersistedSet<Element>

extension PersistedSet: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { items.count }
  /// An element, in the set's order.
  public subscript(position: Int) -> Element { items[position] }
}
extension PersistedSet: ExpressibleByArrayLiteral {
  /// These elements, each once.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}
extension PersistedSet: Equatable {
  /// The same elements.
  public static func == (a: Self, b: Self) -> Bool { a.identities == b.identities }
}

extension PersistedSet: PersistableValue {
  /// Not part of the API.
  public static var _placeholder: Self { Self() }
  /// Not part of the API.
  public static var _columnType: _ColumnType { .collection(.set, of: Element._columnType) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.list(items.map { $0.storedValue })) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Self? { PersistedList<Element>._make(stored).map { Self($0) } }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) {
    ElementTable.append(items, unknown: unknown, to: &bytes, fields)
  }
  /// Not part of the API.
  public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Self? {
    guard let elements = StoredElements(bytes, range, fields, of: Element.self) else { return nil }
    let (known, unknown) = elements.parted(as: Element.self)
    var set = Self(known)
    set.unknown = unknown
    return set
  }
  /// Not part of the API.
  public static var _samples: [Self] { [Self(), Self(Element._samples)] }
}

/// A small set, read and written as a whole.
extension Set: PersistableValue where Element: PersistableValue {
  /// Not part of the API.
  public static var _placeholder: Self { [] }
  /// Not part of the API.
  public static var _columnType: _ColumnType { .collection(.set, of: Element._columnType) }
  /// Not part of the API.
  public var _stored: _Stored { PersistedSet(self)._stored }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Self? { PersistedList<Element>._make(stored).map { Self($0) } }
  /// Not part of the API: in one order, so that equal sets have equal bytes.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { PersistedSet(self)._append(to: &bytes, fields) }
  /// Not part of the API: it has no place for what it doesn't know.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?, keepingUnknownOf old: HeapBytes, _ range: Range<Int>) {
    let unknown = StoredElements(old, range, fields, of: Element.self)?.parted(as: Element.self).unknown ?? []
    ElementTable.append(Array(PersistedSet(self)), unknown: unknown, to: &bytes, fields)
  }
  /// Not part of the API.
  public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Self? {
    guard let elements = StoredElements(bytes, range, fields, of: Element.self) else { return nil }
    return Self(elements.parted(as: Element.self).known)
  }
  /// Not part of the API.
  public static var _samples: [Self] { [[], Self(Element._samples)] }
}
