public import RawMemory

/// An ordered collection, stored in its owner's row. Of a value read from the store its elements are read as they are touched.
public struct PersistedList<Element: PersistableValue>: Sendable {
  private enum Storage: Sendable {
    case array([Element])
    case stored(StoredElements)
  }
  private var storage: Storage

  /// An empty one.
  public init() { storage = .array([]) }
  /// The elements of a sequence, in its order.
  public init(_ elements: some Sequence<Element>) { storage = .array(Array(elements)) }

  private var array: [Element] {
    switch storage {
    case .array(let array): array
    case .stored(let elements): (0..<elements.count).map { elements.element(at: $0, as: Element.self) }
    }
  }

  private mutating func withArray<R>(_ body: (inout [Element]) -> R) -> R {
    var array = array
    storage = .array([])
    defer { storage = .array(array) }
    return body(&array)
  }
}
/// RealmStorage's name. In a file that also imports SwiftUI, `List { … }` stays SwiftUI's, and where a type is written
/// (`var events: PersistedList<Event>`) the long name is needed.
public typealias List<Element: PersistableValue> = PersistedList<Element>

extension PersistedList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int {
    switch storage {
    case .array(let array): array.count
    case .stored(let elements): elements.count
    }
  }
  /// An element. - Complexity: O(1).
  public subscript(position: Int) -> Element {
    get {
      switch storage {
      case .array(let array): array[position]
      case .stored(let elements): elements.element(at: position, as: Element.self)
      }
    }
    set { withArray { $0[position] = newValue } }
  }
  /// Replaces a range of elements.
  public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
    withArray { $0.replaceSubrange(range, with: elements) }
  }
}
extension PersistedList: ExpressibleByArrayLiteral {
  /// The elements in this order.
  public init(arrayLiteral elements: Element...) { storage = .array(elements) }
}
extension PersistedList: Equatable where Element: Equatable {
  /// The same elements in the same order.
  public static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) }
}

extension PersistedList: PersistableValue {
  /// Not part of the API.
  public static var _placeholder: Self { Self() }
  /// Not part of the API.
  public static var _columnType: _ColumnType { .collection(.list, of: Element._columnType) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.list(map { $0.storedValue })) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Self? {
    guard case .list(let values) = stored.value else { return nil }
    var elements: [Element] = []
    for value in values {
      guard let element = Element(stored: value) else { return nil }
      elements.append(element)
    }
    return Self(elements)
  }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) { ElementTable.append(self, to: &bytes, fields) }
  /// Not part of the API.
  public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Self? {
    guard let elements = StoredElements(bytes, range, fields, of: Element.self) else { return nil }
    var list = Self()
    list.storage = .stored(elements)
    return list
  }
  /// Not part of the API.
  public static var _samples: [Self] { [Self(Element._samples), Self(Element._samples + Element._samples)] }
}

extension _ColumnType {
  static func collection(_ kind: ColumnKind, of element: _ColumnType) -> _ColumnType {
    _ColumnType(kind, element: element.kind, isElementOptional: element.isOptional, fields: element.fields)
  }
}
