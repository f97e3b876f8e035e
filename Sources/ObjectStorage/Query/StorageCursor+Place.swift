extension StorageCursor {
  /// Version, fingerprint of the query, then the place's key.
  private static let version: UInt8 = 1
  private static let headerByteCount = 9

  /// - Parameter key: the sort key of the row, with the row's own key at its end.
  init(key: [UInt8], in form: QueryForm, of typeName: String) {
    var bytes = [Self.version]
    KeyCoding.append(form.fingerprint(before: form.steps.count, of: typeName), to: &bytes)
    self.bytes = bytes + key
  }

  /// The place's key. - Throws: ``QueryError/foreignCursor`` when it is a place in another query's results.
  func place(in form: QueryForm, before index: Int, of typeName: String) throws(QueryError) -> [UInt8] {
    var header = [Self.version]
    KeyCoding.append(form.fingerprint(before: index, of: typeName), to: &header)
    guard bytes.count > Self.headerByteCount, bytes.starts(with: header) else { throw .foreignCursor }
    return Array(bytes.dropFirst(Self.headerByteCount))
  }
}

extension QueryForm {
  /// Tells the results that the first `index` steps give from those of other queries: which rows, in which order. Places and the
  /// limits and offsets at the end say only which part of them is looked at.
  func fingerprint(before index: Int, of typeName: String) -> UInt64 {
    var form = QueryForm()
    var window: [QueryStep] = []
    for step in steps.prefix(index) {
      switch step {
      case .limit, .offset: window.append(step)
      case .after: break
      default:
        for step in window { form.append(step) }
        window = []
        form.append(step)
      }
    }
    // FNV-1a, 64 bits.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(typeName)\n\(QueryPrinter.text(form))".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
