/// What follows from a file's page size and from whether it is sealed.
package struct PageGeometry: Sendable, Equatable {
  package let pageByteCount: Int
  let isSealed: Bool

  /// Meta pages are at 0, 16 KiB and 32 KiB, whatever the page size.
  static let metaStride = 16_384
  static let metaCount = 3
  static let metaAreaByteCount = metaStride * metaCount
  package static let pageByteCountDefault = 4096

  /// Where a page's body begins.
  var envelopeByteCount: Int { isSealed ? PageLayout.sealedEnvelopeByteCount : PageLayout.plainEnvelopeByteCount }
  var bodyByteCount: Int { pageByteCount - envelopeByteCount }
  /// The first page behind the meta pages.
  var firstPage: PageNumber { PageNumber(Self.metaAreaByteCount / pageByteCount) }
  func offset(of page: PageNumber) -> UInt64 { UInt64(page) * UInt64(pageByteCount) }

  /// The largest entry that stands in a page; four of them fit, so that every split helps. Larger values go to runs of pages.
  var entryByteCountMax: Int { Self.entryByteCountMax(bodyByteCount: bodyByteCount) }
  static func entryByteCountMax(bodyByteCount: Int) -> Int { (bodyByteCount - PageLayout.slots) / 4 - PageLayout.slotByteCount }
  /// The largest key: an entry of a branch must fit as well.
  var keyByteCountMax: Int { Self.keyByteCountMax(bodyByteCount: bodyByteCount) }
  static func keyByteCountMax(bodyByteCount: Int) -> Int {
    min(PageLayout.keyByteCountMax, entryByteCountMax(bodyByteCount: bodyByteCount) - PageLayout.branchFixedByteCount)
  }
  /// Bytes of value in each page of a run.
  var firstRunByteCount: Int { bodyByteCount - PageLayout.longData }
  var nextRunByteCount: Int { isSealed ? firstRunByteCount : pageByteCount }

  /// How many pages a value of so many bytes takes.
  func runPageCount(_ byteCount: Int) -> Int {
    byteCount <= firstRunByteCount ? 1 : 1 + (byteCount - firstRunByteCount + nextRunByteCount - 1) / nextRunByteCount
  }

  /// Sizes below 4,096 are for tests of small trees.
  static func isPossible(_ byteCount: Int) -> Bool { byteCount >= 512 && byteCount <= 16_384 && byteCount & (byteCount - 1) == 0 }
}
