#if DEBUG
  import Sealing
  import TestSupport
  import Testing

  @testable import StorageEngine

  /// B022: what isn't the key is an error, for the first opening and for one that is served by an engine that is open.
  @Suite struct KeyTests {
    private func store(_ key: EngineKey) throws -> (CrashKernel, Engine) {
      let kernel = CrashKernel()
      kernel.putDirectory("/d")
      let engine = try open(kernel, key)
      try engine.write { transaction throws(EngineError) in try transaction.put("a", [1]) }
      return (kernel, engine)
    }
    private func open(_ kernel: CrashKernel, _ key: EngineKey) throws(EngineError) -> Engine {
      var options = EngineOptions()
      options.mapsPages = false
      options.key = key
      return try Engine.open(path: "/d/a.store", options: options, system: kernel)
    }
    private func failure(_ kernel: CrashKernel, _ key: EngineKey) -> String {
      do {
        _ = try open(kernel, key)
        return "opened"
      } catch { return "\(error)".split(separator: "(").first.map(String.init) ?? "" }
    }

    @Test("B022: wrong key, no key, a passphrase for a key", arguments: [false, true]) func sealed(isOpen: Bool) throws {
      let right = SecretBytes.random(count: 32)
      var (kernel, engine): (CrashKernel, Engine?) = try store(.secret(right))
      if !isOpen {
        engine = nil
        kernel = kernel.crashImage(.everything)
      }
      let before = kernel.contents("/d/a.store")
      #expect(failure(kernel, .secret(SecretBytes.random(count: 32))) == "wrongKey")
      for count in [1, 16, 31, 64] { #expect(failure(kernel, .secret(SecretBytes.random(count: count))) == "wrongKey") }
      #expect(failure(kernel, .none) == "keyRequired")
      #expect(failure(kernel, .passphrase(Array("secret".utf8), kibibytesMax: 8192)) == "wrongKey")
      #expect(kernel.contents("/d/a.store") == before)
      #expect(try open(kernel, .secret(right)).value("a") == [1])
      withExtendedLifetime(engine) {}
    }

    @Test("B022: a key for a plain store", arguments: [false, true]) func plain(isOpen: Bool) throws {
      var (kernel, engine): (CrashKernel, Engine?) = try store(.none)
      if !isOpen {
        engine = nil
        kernel = kernel.crashImage(.everything)
      }
      #expect(failure(kernel, .secret(SecretBytes.random(count: 32))) == "keyNotExpected")
      #expect(failure(kernel, .passphrase([1], kibibytesMax: 8192)) == "keyNotExpected")
      #expect(try open(kernel, .none).value("a") == [1])
      withExtendedLifetime(engine) {}
    }

    @Test("B022: passphrases") func passphrases() throws {
      let (kernel, engine) = try store(.passphrase(Array("right".utf8), kibibytesMax: 8192))
      withExtendedLifetime(engine) {}
      let image = kernel.crashImage(.everything)
      #expect(failure(image, .passphrase(Array("wrong".utf8), kibibytesMax: 8192)) == "wrongKey")
      #expect(failure(image, .passphrase([], kibibytesMax: 8192)) == "wrongKey")
      // What the file asks for is more than the caller lets it take.
      #expect(failure(image, .passphrase(Array("right".utf8), kibibytesMax: 64)) == "corrupted")
      #expect(failure(image, .none) == "keyRequired")
      #expect(try open(image, .passphrase(Array("right".utf8), kibibytesMax: 8192)).value("a") == [1])
    }
  }
#endif
