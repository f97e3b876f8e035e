public import RawMemory

/// A dictionary with string keys, stored in its owner's row, in the order of its keys.
public struct PersistedMap<Key: PersistedMapKey, Value: PersistableValue>: Sendable {
  private var items: [Item] = []
  private struct Item: Sendable {
    let key: Key
    /// The UTF-8 of the key's NFC form: what keys are ordered and told apart by.
    let order: [UInt8]
    var value: Value
    /// A raw value that this build doesn't know, which reads as nil.
    var unknown: [UInt8]?
  }
  /// Keys whose value is a raw value that this build doesn't know and nothing else can be read for: not to be seen, and written with the rest.
  private var hidden: [(key: Key, order: [UInt8], unknown: [UInt8])] = []

  /// An empty one.
  public init() {}

  /// The value of a key, nil without one; assigning nil removes the key.
  public subscript(key: Key) -> Value? {
    get {
      let (position, isThere) = find(KeyCoding.normalizedUTF8(key._text))
      return isThere ? items[position].value : nil
    }
    set {
      guard let newValue else {
        removeValue(forKey: key)
        return
      }
      let order = KeyCoding.normalizedUTF8(key._text)
      let (position, isThere) = find(order)
      if isThere {
        items[position].value = newValue
        items[position].unknown = nil
      } else {
        hidden.removeAll { $0.order == order }
        items.insert(Item(key: key, order: order, value: newValue), at: position)
      }
    }
  }
  /// In their order.
  public var keys: [Key] { items.map(\.key) }
  /// In the order of their keys.
  public var values: [Value] { items.map(\.value) }

  /// Removes a key. - Returns: its value, if there was one.
  @discardableResult public mutating func removeValue(forKey key: Key) -> Value? {
    let order = KeyCoding.normalizedUTF8(key._text)
    hidden.removeAll { $0.order == order }
    let (position, isThere) = find(order)
    return isThere ? items.remove(at: position).value : nil
  }

  private func find(_ order: [UInt8]) -> (position: Int, isThere: Bool) {
    var low = 0
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      if items[middle].order.lexicographicallyPrecedes(order) { low = middle + 1 } else { high = middle }
    }
    return (low, low < items.count && items[low].order == order)
  }
}
/// Realm's name. With MapKit's SwiftUI views imported too, write `PersistedMap` where a type is written.
public typealias Map<Key: PersistedMapKey, Value: PersistableValue> = PersistedMap<Key, Value>

/// String, and nothing else.
public protocol PersistedMapKey: Hashable, Sendable {
  /// Not part of the API: what is stored of the key.
  var _text: String { get }
  /// Not part of the API: the inverse.
  init(_text: String)
}
extension String: PersistedMapKey {
  /// Not part of the API.
  public var _text: String { self }
  /// Not part of the API.
  public init(_text: String) { self = _text }
}

extension PersistedMap: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of keys.
  public var endIndex: Int { items.count }
  /// A key and its value.
  public subscript(position: Int) -> (key: Key, value: Value) { (items[position].key, items[position].value) }
}
extension PersistedMap: ExpressibleByDictionaryLiteral {
  /// These keys; of one written twice, the last value.
  public init(dictionaryLiteral elements: (Key, Value)...) {
    for (key, value) in elements { self[key] = value }
  }
}
extension PersistedMap: Equatable where Value: Equatable {
  /// The same keys with the same values.
  public static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) { $0.key == $1.key && $0.value == $1.value } }
}

extension PersistedMap: PersistableValue {
  /// Not part of the API.
  public static var _placeholder: Self { Self() }
  /// Not part of the API.
  public static var _columnType: _ColumnType { .collection(.map, of: Value._columnType) }
  /// Not part of the API.
  public var _stored: _Stored { _Stored(.map(items.map { StoredValue.Entry($0.key._text, $0.value.storedValue) })) }
  /// Not part of the API.
  public static func _make(_ stored: _Stored) -> Self? {
    guard case .map(let entries) = stored.value else { return nil }
    var map = Self()
    for entry in entries {
      guard let value = Value(stored: entry.value) else { return nil }
      // Not `= value`: a value that is nil itself would remove the key.
      map[Key(_text: entry.name)] = .some(value)
    }
    return map
  }
  /// Not part of the API.
  public func _append(to bytes: inout [UInt8], _ fields: _RowMapping?) {
    let start = bytes.count
    bytes.append(littleEndian: UInt32(0))
    var all = items.map { (key: $0.key, order: $0.order, value: KeptElement(value: $0.value, unknown: $0.unknown)) }
    if !hidden.isEmpty {
      all += hidden.map { (key: $0.key, order: $0.order, value: KeptElement(value: Value._placeholder, unknown: $0.unknown)) }
      all.sort { $0.order.lexicographicallyPrecedes($1.order) }
    }
    ElementTable.append(all.map(\.key._text), to: &bytes, nil)
    bytes.store(littleEndian: UInt32(clamping: bytes.count - start - 4), at: start)
    ElementTable.append(kept: all.map(\.value), to: &bytes, fields)
  }
  /// Not part of the API.
  public static func _decode(_ bytes: HeapBytes, _ range: Range<Int>, _ fields: _RowMapping?) -> Self? {
    let column = Value._columnType
    let tables = bytes.withBytes { try? ElementTable.map($0, range, kind: column.kind, isOptional: column.isOptional) }
    guard let tables else { return nil }
    let keys = StoredElements(bytes, tables.keys, nil)
    let values = StoredElements(bytes, tables.values, fields)
    var map = Self()
    for index in 0..<keys.count {
      let key = Key(_text: keys.element(at: index, as: String.self))
      let unknown = values.unknownBytes(at: index, as: Value.self)
      guard let value = values.known(at: index, as: Value.self) else {
        if let unknown { map.hidden.append((key, KeyCoding.normalizedUTF8(key._text), unknown)) }
        continue
      }
      map[key] = .some(value)
      if unknown != nil { map.items[map.find(KeyCoding.normalizedUTF8(key._text)).position].unknown = unknown }
    }
    return map
  }
  /// Not part of the API.
  public static var _samples: [Self] {
    var map = Self()
    for (index, sample) in Value._samples.enumerated() { map[Key(_text: "k\(index)")] = .some(sample) }
    return [Self(), map]
  }
}
