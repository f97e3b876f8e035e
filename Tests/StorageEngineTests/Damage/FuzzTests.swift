#if DEBUG
  import RawMemory
  import TestSupport
  import Testing

  @testable import StorageEngine

  /// Files whose checksums and tags are right and whose contents make no sense: errors, wrong entries, never a trap and never a hang.
  @Suite struct FuzzTests {
    @Test(.timeLimit(.minutes(20)), arguments: [false, true]) func anyContents(isSealed: Bool) throws {
      let bench = try DamageBench(isSealed: isSealed)
      var random = SplitMix64(seed: isSealed ? 1 : 2)
      let pages = bench.pages.keys.sorted()
      var (errors, survivals) = (0, 0)
      for round in 0..<(isLongRun ? 20_000 : 250) {
        var file = bench.file
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let page = pages.randomElement(using: &random)!
          file = bench.altering(page, in: file) { buffer, body in mutate(buffer, body, pages, bench, &random) }
        }
        if round % 5 == 0 {
          let field = Int.random(in: 0..<8, using: &random)
          let value = random.next() >> UInt64.random(in: 0..<64, using: &random)
          file = bench.alteringMetas(in: file) { mutate(&$0, field, value) }
        }
        if use(file, bench, &random) { survivals += 1 } else { errors += 1 }
      }
      #expect(errors > 10 && survivals > 10)
    }

    private func mutate(_ buffer: ByteBuffer, _ body: Int, _ pages: [PageNumber], _ bench: DamageBench, _ random: inout SplitMix64)
    {
      let node = NodeView(buffer.view(body..<buffer.count))
      let fields = [
        PageLayout.entryCount, PageLayout.heapStart, PageLayout.prefixByteCount, PageLayout.garbageByteCount, PageLayout.kind,
        PageLayout.level,
      ]
      switch Int.random(in: 0..<7, using: &random) {
      case 0: buffer.store(UInt8.random(in: 0...255, using: &random), at: Int.random(in: body + 8..<buffer.count, using: &random))
      case 1:
        let field = body + fields.randomElement(using: &random)!
        buffer.store(UInt16.random(in: 0...600, using: &random), at: field)
      case 2:
        let field = body + fields.randomElement(using: &random)!
        buffer.store(buffer.load(UInt16.self, at: field) &+ UInt16.random(in: 0...3, using: &random) &- 1, at: field)
      case 3:
        let slot = body + PageLayout.slots + 8 * Int.random(in: 0..<10, using: &random)
        buffer.store(UInt16.random(in: 0...500, using: &random), at: slot + [4, 6].randomElement(using: &random)!)
      case 4 where !node.isLeaf && node.count > 0 && node.level < 8:
        let index = Int.random(in: 0..<node.count, using: &random)
        let target = pages.randomElement(using: &random)!
        // An earlier change may have made the count larger than the page has slots.
        guard PageLayout.slots + 8 * (index + 1) <= node.body.count, node.entryOffset(index) + 20 <= node.body.count else { return }
        ChildReference(
          page: target, birth: bench.pages[target]!.birth, count: random.next() >> UInt64.random(in: 0..<64, using: &random)
        )
        .store(in: buffer, at: body + node.entryOffset(index))
      case 5:
        // Another order of the slots.
        let slots = (0..<2).map { _ in body + PageLayout.slots + 8 * Int.random(in: 0..<max(min(node.count, 40), 1), using: &random)
        }
        let (first, second) = (buffer.load(UInt64.self, at: slots[0]), buffer.load(UInt64.self, at: slots[1]))
        buffer.store(second, at: slots[0])
        buffer.store(first, at: slots[1])
      default:
        let from = Int.random(in: body + 8..<buffer.count - 8, using: &random)
        buffer.store(random.next(), at: from)
      }
    }

    private func mutate(_ meta: inout MetaPage, _ field: Int, _ value: UInt64) {
      switch field {
      case 0: meta.pageCount = PageNumber(truncatingIfNeeded: value)
      case 1: meta.catalog.page = PageNumber(truncatingIfNeeded: value)
      case 2: meta.catalog.level = UInt8(truncatingIfNeeded: value)
      case 3: meta.catalog.count = value
      case 4: meta.free.page = PageNumber(truncatingIfNeeded: value)
      case 5: meta.free.count = value
      case 6: meta.free.level = UInt8(truncatingIfNeeded: value)
      default: meta.nextTreeID = UInt32(truncatingIfNeeded: value)
      }
    }

    /// Everything that a user could do. - Returns: whether it went without an error.
    private func use(_ file: [UInt8], _ bench: DamageBench, _ random: inout SplitMix64) -> Bool {
      let kernel = CrashKernel()
      kernel.put(DamageBench.path, file)
      var wasClean = true
      func attempt(_ body: () throws(EngineError) -> Void) {
        do throws(EngineError) { try body() } catch {
          wasClean = false
          switch error {
          case .full, .noSpace: break
          default: if !DamageBench.isOfTheFile(error), error.isUnexpectedInFuzzing { Issue.record("\(error)") }
          }
        }
      }
      var opened: Engine?
      attempt { () throws(EngineError) in opened = try Engine.open(path: DamageBench.path, options: bench.options, system: kernel) }
      guard let engine = opened else { return false }
      attempt { () throws(EngineError) in wasClean = try engine.snapshot().verify().isClean && wasClean }
      attempt { () throws(EngineError) in try look(engine, &random) }
      let seed = random.next()
      attempt { () throws(EngineError) in
        var random = SplitMix64(seed: seed)
        try engine.write(.ordered) { transaction throws(EngineError) in
          for _ in 0..<60 {
            let index = Int.random(in: 0..<200, using: &random)
            let key = "conversation \(index % 4) message \(index)"
            if Bool.random(using: &random) {
              try transaction.delete(key)
            } else {
              try transaction.put(key, patterned(index % 30 == 0 ? 1700 : index, index))
            }
          }
        }
      }
      attempt { () throws(EngineError) in
        try engine.write { transaction throws(EngineError) in
          for index in 0..<200 { try transaction.delete("conversation \(index % 4) message \(index)") }
        }
      }
      attempt { () throws(EngineError) in try engine.write { transaction throws(EngineError) in try transaction.deleteTree("t") } }
      attempt { () throws(EngineError) in wasClean = try engine.snapshot().verify().isClean && wasClean }
      return wasClean
    }

    private func look(_ engine: Engine, _ random: inout SplitMix64) throws(EngineError) {
      let snapshot = try engine.snapshot()
      guard let tree = try snapshot.tree("t") else { return }
      for index in 0..<20 {
        let key = Array("conversation \(index % 4) message \(index * 7)".utf8)
        _ = try? tree.value(forKey: key.span.raw)
        _ = try? tree.position(of: key.span.raw)
        var cursor = tree.cursor()
        _ = try? cursor.seek(toPosition: UInt64(index * 9))
        _ = try? cursor.seek(before: key.span.raw)
      }
      var cursor = tree.cursor()
      var isThere = try cursor.last()
      while isThere { isThere = try cursor.previous() }
      _ = try tree.contents()
    }
  }

  extension EngineError {
    /// A broken file may end a transaction, and nothing else.
    fileprivate var isUnexpectedInFuzzing: Bool {
      switch self {
      case .transactionEnded: false
      default: true
      }
    }
  }
#endif
