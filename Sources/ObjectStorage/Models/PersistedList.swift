public import RawMemory

/// An ordered collection, stored in its owner's row. Of a value read from the store its elements are read as they are touched.
///
/// An element that is an enum's raw value unknown to this build stays one when others are added, removed, moved or sorted; assigning to its
/// place, or copying what it is read as into another list, makes it what was assigned.
public struct PersistedList<Element: PersistableValue>: Sendable {
  private enum Storage: Sendable {
    case array([Element])
    /// With raw values of an enum that this build doesn't know.
    case kept([KeptElement<Element>])
    case stored(StoredElements)
  }
  private var storage: Storage

  /// An empty one.
  public init() { storage = .array([]) }
  /// The elements of a sequence, in its order.
  public init(_ elements: some Sequence<Element>) { storage = .array(Array(elements)) }

  /// Reads what the row has, to change it.
  private mutating func own() {
    guard case .stored(let elements) = storage else { return }
    var hasUnknown = false
    let kept = (0..<elements.count).map { index in
      let unknown = elements.unknownBytes(at: index, as: Element.self)
      if unknown != nil { hasUnknown = true }
      return KeptElement(value: elements.element(at: index, as: Element.self), unknown: unknown)
    }
    storage = hasUnknown ? .kept(kept) : .array(kept.map(\.value))
  }

  /// Changes the elements in their own buffer.
  private mutating func change(_ array: (inout [Element]) -> Void, kept: (inout [KeptElement<Element>]) -> Void) {
    own()
    switch storage {
    case .array(var elements):
      storage = .array([])
      array(&elements)
      storage = .array(elements)
    case .kept(var elements):
      storage = .array([])
      kept(&elements)
      storage = .kept(elements)
    case .stored: break
    }
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
    case .kept(let elements): elements.count
    case .stored(let elements): elements.count
    }
  }
  /// An element. - Complexity: O(1).
  public subscript(position: Int) -> Element {
    get {
      switch storage {
      case .array(let array): array[position]
      case .kept(let elements): elements[position].value
      case .stored(let elements): elements.element(at: position, as: Element.self)
      }
    }
    set { change({ $0[position] = newValue }, kept: { $0[position] = KeptElement(value: newValue) }) }
  }
  /// Replaces a range of elements.
  public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
    change(
      { $0.replaceSubrange(range, with: elements) },
      kept: { $0.replaceSubrange(range, with: elements.map { KeptElement(value: $0) }) })
  }
  /// Exchanges two elements.
  public mutating func swapAt(_ i: Int, _ j: Int) { change({ $0.swapAt(i, j) }, kept: { $0.swapAt(i, j) }) }
  /// Brings the elements into an order.
  public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    own()
    switch storage {
    case .kept(let elements): storage = .kept(try elements.sorted { try areInIncreasingOrder($0.value, $1.value) })
    default: storage = .array(try sorted(by: areInIncreasingOrder))
    }
  }
  /// The elements that fulfil a condition.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
    var list = self
    list.own()
    switch list.storage {
    case .kept(let elements): list.storage = .kept(try elements.filter { try isIncluded($0.value) })
    case .array(let elements): list.storage = .array(try elements.filter(isIncluded))
    case .stored: break
    }
    return list
  }
}
extension PersistedList where Element: Comparable {
  /// Brings the elements into their order.
  public mutating func sort() { sort(by: <) }
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
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) {
    switch storage {
    case .array(let elements): ElementTable.append(elements, to: &bytes, fields)
    case .kept(let elements): ElementTable.append(kept: elements, to: &bytes, fields)
    case .stored(let elements):
      // The bytes of embedded structs are those of the row's schema.
      if Element._columnType.fields == nil { elements.appendAll(to: &bytes) } else { ElementTable.append(self, to: &bytes, fields) }
    }
  }
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
