#if DEBUG
  import RawMemory
  import Sealing
  import TestSupport
  import Testing

  @testable import StorageEngine
  @testable import StorageIO

  /// A store as bytes, whose pages can be read, changed and written back with the right checksum or tag.
  final class DamageBench {
    let options: EngineOptions
    /// As the file was after each commit.
    private(set) var files: [[UInt8]] = []
    /// What each version holds, by what it says of itself.
    private(set) var versions: [String: Contents] = [:]
    private(set) var pages: [PageNumber: Place] = [:]
    let header: FileHeader
    let geometry: PageGeometry
    private let cipher: PageCipher?
    private let sealer: PageSealer?
    static let path = "/d/a.store"
    var file: [UInt8] { files[files.count - 1] }

    struct Place {
      var birth: TransactionID
      var kind: String
    }

    /// - Parameters:
    ///   - seed: another file with the same history.
    ///   - entryCount: in the tree that is looked at.
    init(isSealed: Bool, seed: UInt64 = 1, entryCount: Int = 160) throws {
      options = CrashScene.options(isSealed: isSealed)
      var settings = KernelSettings()
      settings.seed = seed
      let kernel = CrashKernel(settings)
      kernel.putDirectory("/d")
      let engine = try Engine.open(path: Self.path, options: options, system: kernel)
      var contents: Contents = [:]
      versions[""] = contents
      for number in 1...5 {
        try engine.write { transaction throws(EngineError) in
          for index in stride(from: 0, to: entryCount, by: number == 1 ? 1 : 7 * number) {
            let key = "conversation \(index % 4) message \(index)"
            let value = patterned(index % 40 == 0 ? 1700 : 20 + index % 60, index * number)
            try transaction.put(key, value)
            contents[Array(key.utf8)] = value
          }
          if number > 1 {
            let gone = "conversation \(number % 4) message \(number)"
            try transaction.delete(gone)
            contents[Array(gone.utf8)] = nil
          }
          try transaction.put("n", Array("\(number)".utf8))
          contents[Array("n".utf8)] = Array("\(number)".utf8)
        }
        versions["\(number)"] = contents
        files.append(kernel.contents(Self.path)!)
      }
      // The last commit touches few pages: those of the others aren't in its list.
      header = engine.header
      geometry = engine.header.geometry
      cipher = engine.cipher
      sealer = engine.cipher?.makeSealer()
      let snapshot = try engine.snapshot()
      try collect(snapshot.catalog, "catalogue")
      try collect(snapshot.freeTree, "free tree")
      if let tree = try snapshot.tree("t") { try collect(tree, "tree") }
    }

    private func collect(_ tree: Tree, _ name: String) throws {
      func visit(_ reference: ChildReference) throws {
        let node = NodeView(try tree.source.page(reference.page, birth: reference.birth))
        pages[reference.page] = Place(birth: reference.birth, kind: "\(name), level \(node.level)")
        for index in 0..<node.count {
          if !node.isLeaf {
            try visit(node.child(index))
          } else if node.isLong(index) {
            let long = node.longReference(index)
            for part in 0..<geometry.runPageCount(long.byteCount) {
              pages[long.page + PageNumber(part)] = Place(
                birth: long.birth, kind: part == 0 ? "long value" : "rest of a long value")
            }
          }
        }
      }
      if tree.root.page != 0 { try visit(ChildReference(page: tree.root.page, birth: tree.root.birth, count: 0)) }
    }

    /// One page of each kind.
    var examples: [(page: PageNumber, kind: String)] {
      var found: [String: PageNumber] = [:]
      for (page, place) in pages { found[place.kind] = min(page, found[place.kind] ?? page) }
      return found.map { ($0.value, $0.key) }.sorted { $0.0 < $1.0 }
    }

    func range(_ page: PageNumber) -> Range<Int> { Int(page) * geometry.pageByteCount..<(Int(page) + 1) * geometry.pageByteCount }

    /// Changes what stands behind a page's envelope, and makes the page valid again.
    func altering(_ page: PageNumber, in file: [UInt8], _ change: (ByteBuffer, _ body: Int) -> Void) -> [UInt8] {
      var file = file
      let range = range(page)
      let buffer = ByteBuffer(count: range.count)
      buffer.copy(file.span.extracting(range), at: 0)
      let start = geometry.envelopeByteCount
      let birth = buffer.load(UInt64.self, at: start + PageLayout.birth)
      if let cipher, let sealer {
        precondition(cipher.open(buffer, at: 0, byteCount: buffer.count, page: UInt64(page), birth: birth))
        change(buffer, start)
        sealer.seal(
          buffer, at: 0, byteCount: buffer.count, page: UInt64(page), birth: buffer.load(UInt64.self, at: start + PageLayout.birth))
      } else {
        change(buffer, start)
        let fileID = header.fileID
        let seed = Checksum.crc32(of: UInt64(page), seed: Checksum.crc32(fileID.span.raw))
        buffer.store(UInt64(Checksum.crc32(buffer, start..<buffer.count, seed: seed)), at: 0)
      }
      file.replaceSubrange(range, with: buffer.bytes(0..<buffer.count))
      return file
    }

    /// Changes a field of the meta pages, and makes them valid again.
    func alteringMetas(in file: [UInt8], _ change: (inout MetaPage) -> Void) -> [UInt8] {
      var file = file
      let area = ByteBuffer(count: PageGeometry.metaAreaByteCount)
      area.copy(file.span.extracting(0..<area.count), at: 0)
      for var meta in MetaPages.decode(area, count: area.count, header: header, cipher: cipher).pages {
        change(&meta)
        let buffer = ByteBuffer(count: PageGeometry.metaStride)
        let count = meta.store(in: buffer, header: header, sealer: sealer)
        let start = meta.slot * PageGeometry.metaStride
        file.replaceSubrange(start..<start + count, with: buffer.bytes(0..<count))
      }
      return file
    }

    enum Outcome: Hashable { case newest, older, error }

    /// Opens a file as another boot finds it, and reads everything. What comes is a version as it was written, or an error of the file.
    func outcome(_ file: [UInt8], _ place: @autoclosure () -> String, body: (Engine) throws(EngineError) -> Void = { _ in })
      -> Outcome
    {
      let kernel = CrashKernel()
      kernel.put(Self.path, file)
      var result = Outcome.error
      do throws(EngineError) {
        let engine = try Engine.open(path: Self.path, options: options, system: kernel)
        result = try read(engine, place())
        try body(engine)
      } catch {
        if !Self.isOfTheFile(error) { Issue.record("\(error), \(place())") }
        result = .error
      }
      return result
    }

    private func read(_ engine: Engine, _ place: @autoclosure () -> String) throws(EngineError) -> Outcome {
      let found = try engine.snapshot().tree("t")?.contents() ?? [:]
      let number = found[Array("n".utf8)].map { String(decoding: $0, as: UTF8.self) } ?? ""
      if versions[number] != found { Issue.record("a wrong value, \(place())") }
      return number == "5" ? .newest : .older
    }

    static func isOfTheFile(_ error: EngineError) -> Bool {
      switch error {
      case .corrupted, .notAStore, .unsupportedFormat, .wrongKey, .keyRequired, .keyNotExpected: true
      default: false
      }
    }
  }
#endif
