/// A page of a tree, as named offsets into its *body*: what stands behind the envelope. Little-endian.
///
/// A plain page's envelope is 8 bytes: the CRC-32 of the body, seeded with file and page number, and 4 zero bytes. A sealed page's is that of
/// `SealedPage`. Behind the header stand the slots, in key order, and at the end of the body the bytes that all keys begin with
/// (the *prefix*); between them, growing down from the prefix, the *heap* of entries.
package enum PageLayout {
  /// The transaction that wrote the page. With the page number it names one content for ever. In the clear in sealed pages.
  static let birth = 0
  static let kind = 8
  /// 0 in a leaf; a branch is one above its children, so no page can be its own ancestor.
  static let level = 9
  static let entryCount = 10
  /// Where the heap begins; what lies between the last slot and it is free.
  static let heapStart = 12
  static let prefixByteCount = 14
  /// Bytes of the heap that no slot points to.
  static let garbageByteCount = 16
  static let reserved = 18
  /// The page's own number: a page that was put elsewhere is found out.
  static let page = 20
  /// For rescue: the tree that the page belongs to.
  static let tree = 24
  static let reserved2 = 28
  static let slots = 32

  /// A slot: the *head* (the first 4 bytes of the key behind the prefix, big-endian, as a number), the entry's offset, and how many bytes of
  /// key the entry has behind the prefix.
  static let slotByteCount = 8
  static let slotHead = 0
  static let slotOffset = 4
  static let slotKeyByteCount = 6

  /// An entry of a leaf: the value's byte count, the key behind the prefix, the value.
  static let leafFixedByteCount = 2
  /// In place of the byte count: the value is a `longValue` reference of `longReferenceByteCount` bytes.
  static let longValueMark: UInt16 = 0xFFFF
  /// First page, byte count, birth.
  static let longReferenceByteCount = 16

  /// An entry of a branch: child page, its birth, how many entries lie below it, the key behind the prefix. The first entry has no key:
  /// it stands for everything below the second.
  static let branchFixedByteCount = 20
  static let childPage = 0
  static let childBirth = 4
  static let childCount = 12

  static let plainEnvelopeByteCount = 8
  static let plainChecksum = 0
  /// Tag, id of the engine open that sealed it, that open's counter.
  static let sealedEnvelopeByteCount = 40

  /// Of a run of pages with a long value: the header as above, then the value's byte count, then bytes of the value.
  static let longByteCount = 12
  static let longIndex = 16
  static let longData = 32

  static let keyByteCountMax = 1024
  static let valueByteCountMax = 1 << 30
  /// No tree is higher: 2 entries a page and 2^32 pages.
  static let levelMax: UInt8 = 32
}

package enum PageKind: UInt8, Sendable {
  case leaf = 1
  case branch = 2
  /// The first page of a run with a long value; in sealed files every page of it.
  case longValue = 3
}
