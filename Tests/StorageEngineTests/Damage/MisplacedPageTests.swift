#if DEBUG
  import TestSupport
  import Testing

  @testable import StorageEngine

  /// Pages that are whole, in the wrong place or of another time.
  @Suite struct MisplacedPageTests {
    @Test("An older page put back", arguments: [false, true]) func olderPage(isSealed: Bool) throws {
      let bench = try DamageBench(isSealed: isSealed)
      var count = 0
      for page in bench.pages.keys.sorted() {
        let range = bench.range(page)
        for older in bench.files.dropLast() where range.upperBound <= older.count && older[range] != bench.file[range] {
          var file = bench.file
          file.replaceSubrange(range, with: older[range])
          let outcome = bench.outcome(file, "page \(page) as it was")
          #expect(outcome != .newest || bench.pages[page]!.kind.hasPrefix("free"))
          count += 1
        }
      }
      #expect(count > 10)
    }

    @Test("Two pages swapped", arguments: [false, true]) func swapped(isSealed: Bool) throws {
      let bench = try DamageBench(isSealed: isSealed)
      let pages = bench.pages.keys.sorted()
      for (index, first) in pages.enumerated() {
        for second in pages[(index + 1)...] where isLongRun || (first + second) % 11 == 0 {
          var file = bench.file
          file.replaceSubrange(bench.range(first), with: bench.file[bench.range(second)])
          file.replaceSubrange(bench.range(second), with: bench.file[bench.range(first)])
          #expect(bench.outcome(file, "pages \(first) and \(second)") != .newest)
        }
      }
    }

    /// With the same key, so that only the file's id tells them apart.
    @Test("A page, and a meta page, of another file", arguments: [false, true]) func ofAnotherFile(isSealed: Bool) throws {
      let bench = try DamageBench(isSealed: isSealed)
      let other = try DamageBench(isSealed: isSealed, seed: 2)
      #expect(bench.header.fileID != other.header.fileID)
      for page in bench.pages.keys.sorted() where other.pages[page] != nil {
        var file = bench.file
        file.replaceSubrange(bench.range(page), with: other.file[bench.range(page)])
        // Behind the first page of a plain long value there is nothing but its bytes.
        if file == bench.file { continue }
        let outcome = bench.outcome(file, "page \(page) of another file")
        #expect(outcome != .newest || bench.pages[page]!.kind.hasPrefix("free"))
      }
      for slots in [[0], [1], [2], [0, 1], [1, 2], [0, 2]] {
        var file = bench.file
        for slot in slots {
          let range = slot * PageGeometry.metaStride..<(slot + 1) * PageGeometry.metaStride
          file.replaceSubrange(range, with: other.file[range])
        }
        _ = bench.outcome(file, "meta pages \(slots) of another file")
      }
    }

    /// Its empty version would be believed, and the store written over, if one meta page alone said whose file it is.
    @Test("The meta page of a young store, which still has its empty version", arguments: [false, true])
    func ofAYoungFile(isSealed: Bool) throws {
      let bench = try DamageBench(isSealed: isSealed)
      var settings = KernelSettings()
      settings.seed = 3
      let kernel = CrashKernel(settings)
      kernel.putDirectory("/d")
      let engine = try Engine.open(path: DamageBench.path, options: bench.options, system: kernel)
      try engine.write { transaction throws(EngineError) in try transaction.put("n", [1]) }
      let young = try #require(kernel.contents(DamageBench.path))
      for slots in [[0], [0, 1]] {
        var file = bench.file
        for slot in slots {
          let range = slot * PageGeometry.metaStride..<(slot + 1) * PageGeometry.metaStride
          file.replaceSubrange(range, with: young[range])
        }
        #expect(bench.outcome(file, "meta pages \(slots) of a young file") == .error)
      }
    }

    @Test("Meta pages in each other's places, and older ones", arguments: [false, true]) func metaPages(isSealed: Bool) throws {
      let bench = try DamageBench(isSealed: isSealed)
      let ranges = (0..<PageGeometry.metaCount).map { $0 * PageGeometry.metaStride..<($0 + 1) * PageGeometry.metaStride }
      for source in bench.files {
        for from in ranges {
          for to in ranges {
            var file = bench.file
            file.replaceSubrange(to, with: source[from])
            _ = bench.outcome(file, "meta page \(from) at \(to)")
            for second in ranges where second != to {
              file.replaceSubrange(second, with: source[from])
              _ = bench.outcome(file, "meta page \(from) at \(to) and \(second)")
            }
          }
        }
      }
    }

    @Test("Cut at any length", arguments: [false, true]) func truncated(isSealed: Bool) throws {
      let bench = try DamageBench(isSealed: isSealed)
      let lengths = Array(stride(from: 0, to: bench.file.count, by: isLongRun ? 61 : 997)) + [1, 8, 83, 84, 255, 256]
      for length in lengths { _ = bench.outcome(Array(bench.file[..<length]), "cut to \(length)") }
      for extra in [1, 511, 512, 100_000] {
        #expect(bench.outcome(bench.file + [UInt8](repeating: 7, count: extra), "longer by \(extra)") == .newest)
      }
    }
  }
#endif
