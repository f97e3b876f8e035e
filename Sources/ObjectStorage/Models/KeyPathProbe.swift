import Synchronization

/// Stands in for a row and notes which properties are read; each read gets a sample of the property's type.
final class KeyPathProbe: Sendable {
  private let reads = Mutex<[(property: Int, value: StoredValue)]>([])
  /// Which of the samples.
  private let sample: Int

  init(sample: Int) { self.sample = sample }

  func touch<Value: PersistableValue>(_ property: Int, as type: Value.Type) -> Value {
    let samples = Value._samples
    let value = samples.isEmpty ? Value._placeholder : samples[sample % samples.count]
    let stored = value.storedValue
    reads.withLock { $0.append((property, stored)) }
    return value
  }

  /// The only read there was.
  var onlyRead: (property: Int, value: StoredValue)? { reads.withLock { $0.count == 1 ? $0[0] : nil } }
}
