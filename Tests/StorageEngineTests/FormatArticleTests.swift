import Foundation
import Sealing
import Testing

@testable import StorageEngine

/// The article on the format says what the code says.
@Suite struct FormatArticleTests {
  private func offsets(_ heading: String) throws -> [Int] {
    let article = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/StorageEngine/StorageEngine.docc/Format.md")
    let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex { $0.hasPrefix("| \(heading) |") })
    return lines[(first + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      Int(line.split(separator: "|")[1].trimmingCharacters(in: .whitespaces)) ?? -1
    }
  }

  @Test func metaPages() throws {
    let code = [
      MetaLayout.magicOffset, MetaLayout.formatVersion, MetaLayout.pageShift, MetaLayout.suite, MetaLayout.readFeatures,
      MetaLayout.writeFeatures, MetaLayout.stretchKibibytes, MetaLayout.stretchPasses, MetaLayout.reserved, MetaLayout.fileID,
      MetaLayout.salt, MetaLayout.keyCheck, MetaLayout.headerChecksum, MetaLayout.contentByteCount, MetaLayout.contentChecksum,
      MetaLayout.reserved2, MetaLayout.envelope, MetaLayout.transactionID, MetaLayout.durableID, MetaLayout.bootIdentity,
      MetaLayout.pageCount, MetaLayout.catalogPage, MetaLayout.catalogBirth, MetaLayout.catalogCount, MetaLayout.freePage,
      MetaLayout.nextTreeID, MetaLayout.freeBirth, MetaLayout.freeCount, MetaLayout.commitTime, MetaLayout.catalogLevel,
      MetaLayout.freeLevel, MetaLayout.reserved3, MetaLayout.listCount, MetaLayout.reserved4, MetaLayout.list,
    ]
    #expect(try offsets("meta field") == code)
    #expect(MetaLayout.envelope + SealedPage.envelopeByteCount == MetaLayout.transactionID)
    #expect(PageLayout.sealedEnvelopeByteCount == SealedPage.envelopeByteCount)
    #expect(MetaLayout.list + MetaLayout.listCountMax * MetaLayout.entryByteCount <= PageGeometry.metaStride)
  }

  @Test func pages() throws {
    let code = [
      PageLayout.birth, PageLayout.kind, PageLayout.level, PageLayout.entryCount, PageLayout.heapStart, PageLayout.prefixByteCount,
      PageLayout.garbageByteCount, PageLayout.reserved, PageLayout.page, PageLayout.tree, PageLayout.reserved2, PageLayout.slots,
    ]
    #expect(try offsets("page field") == code)
    #expect(SealedPage.envelopeByteCount + PageLayout.birth == SealedPage.birth)
  }
}
