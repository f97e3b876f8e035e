#if DEBUG
  import TestSupport
  import Testing

  @testable import StorageEngine

  /// One byte of the file is another one.
  @Suite struct FlipTests {
    @Test("Every byte of a page of every kind", arguments: [false, true]) func pages(isSealed: Bool) throws {
      let bench = try DamageBench(isSealed: isSealed)
      #expect(bench.examples.count >= 6, "\(bench.examples)")
      for (page, kind) in bench.examples {
        var outcomes: [DamageBench.Outcome: Int] = [:]
        let start = bench.range(page).lowerBound
        let unused = isSealed || kind.hasPrefix("rest") ? start..<start : start + 4..<start + 8
        for position in bench.range(page) where isLongRun || position % 7 == Int(page) % 7 {
          if unused.contains(position) { continue }
          for mask in [UInt8(1), 0xFF] {
            var file = bench.file
            file[position] ^= mask
            outcomes[bench.outcome(file, "byte \(position) of page \(page), \(kind)"), default: 0] += 1
            if !isLongRun { break }
          }
        }
        // The free tree isn't read; of the others every byte counts, but for four behind a plain page's checksum.
        if kind.hasPrefix("free") {
          #expect(outcomes[.error] ?? 0 == 0, "\(kind) \(outcomes)")
        } else {
          #expect(outcomes[.newest] ?? 0 == 0, "\(kind) \(outcomes)")
        }
      }
    }

    @Test("Every byte of the meta pages", arguments: [false, true]) func metaPages(isSealed: Bool) throws {
      let bench = try DamageBench(isSealed: isSealed)
      var outcomes: [DamageBench.Outcome: Int] = [:]
      for slot in 0..<PageGeometry.metaCount {
        let start = slot * PageGeometry.metaStride
        for position in start..<start + 400 where isLongRun || position % 5 == slot {
          var file = bench.file
          file[position] ^= 0x41
          outcomes[bench.outcome(file, "byte \(position) of the meta pages"), default: 0] += 1
        }
      }
      #expect(outcomes[.newest] ?? 0 > 0 && outcomes[.older] ?? 0 > 0 && outcomes[.error] ?? 0 == 0, "\(outcomes)")
    }

    /// Verifying finds every damage that reading would meet, and names the page.
    @Test(arguments: [false, true]) func verifyNamesThePage(isSealed: Bool) throws {
      let bench = try DamageBench(isSealed: isSealed)
      for (page, place) in bench.pages.sorted(by: { $0.key < $1.key }) {
        var file = bench.file
        file[bench.range(page).lowerBound + 200] ^= 4
        let kernel = CrashKernel()
        kernel.put(DamageBench.path, file)
        let engine = try Engine.open(path: DamageBench.path, options: bench.options, system: kernel)
        if engine.didDropLastCommit { continue }
        let report = try engine.snapshot().verify()
        #expect(
          !report.isClean && report.problems.contains { $0.contains("page \(page) ") || place.kind.hasPrefix("rest") }, "\(place)")
      }
    }
  }
#endif
