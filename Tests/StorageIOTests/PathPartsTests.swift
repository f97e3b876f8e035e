#if DEBUG
  import RawMemory
  import StorageIO
  import TestSupport
  import Testing

  /// Paths in two, and random bytes in whole.
  @Suite struct PathPartsTests {
    @Test(arguments: [
      ("/a/b.store", "/a", "b.store"), ("/b.store", "/", "b.store"), ("b.store", ".", "b.store"), ("./b", ".", "b"),
      ("../x/b", "../x", "b"), ("/å/ß.store", "/å", "ß.store"), ("a/", "a", ""), ("", ".", ""),
    ])
    func split(path: String, directory: String, name: String) {
      let parts = PathParts(path)
      #expect(parts.directory == directory && parts.name == name)
    }

    @Test(arguments: [("/a/b", "/a"), ("/a/b//", "/a"), ("/a", "/"), ("a/b", "a"), ("/", nil), ("a", nil), ("a/", nil), ("", nil)])
    func parent(path: String, expected: String?) { #expect(PathParts.parent(of: path) == expected) }

    @Test func aFileAndItsName() throws {
      let kernel = CrashKernel()
      kernel.put("/d/a", [1])
      let file = try StorageFile(kernel, path: "/d/a", flags: OpenFlag.readOnly)
      #expect(try file.isNamed(by: "/d/a"))
      kernel.put("/d/a", [1])
      #expect(try !file.isNamed(by: "/d/a") && !file.isNamed(by: "/d/b") && !file.isNamed(by: "/d"))
      kernel.fail(.status, with: 5)
      #expect(code { () throws(SystemError) in _ = try file.isNamed(by: "/d/a") } == 5)
    }

    @Test func randomBytesAreWholeOrAnError() throws {
      let kernel = CrashKernel()
      let bytes = try kernel.randomBytes(64)
      #expect(bytes.bytes(0..<64).contains { $0 != 0 })
      // The call's own error, not one that stands for all.
      kernel.fail(.random, with: 38)
      #expect(code { () throws(SystemError) in _ = try kernel.randomNumber() } == 38)
    }

    private func code(_ body: () throws(SystemError) -> Void) -> Int32? {
      do throws(SystemError) { try body() } catch { return error.code }
      return nil
    }
  }
#endif
