import Foundation
import SealingTranscript
import TestSupport
import Testing

private enum LibcryptoPeer {
  /// The executable that was built with libcrypto.
  static let path: String? = {
    let root = String(#filePath).replacingOccurrences(of: "/Tests/MailboxLogTests/Processes/SealingBackendTests.swift", with: "")
    let path = ProcessInfo.processInfo.environment["ANTEROOM_SEALING_PEER"] ?? root + "/.build-libcrypto/debug/sealing-peer"
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()
}

/// That what libsodium seals libcrypto opens, and the other way round: two implementations that share no code agree on every derivation
/// and on every byte of the files. `Tests/run-tests` builds the peer where there is a libcrypto.
@Suite(.enabled(if: LibcryptoPeer.path != nil, "sealing-peer isn't built: ANTEROOM_SEALING=libcrypto, see Tests/run-tests"))
struct SealingBackendTests {
  private func peer(_ arguments: String...) throws -> [String] {
    let outcome = try ChildProcess(try #require(LibcryptoPeer.path), arguments).wait()
    #expect(outcome.isSuccess, "\(outcome.errorOutput)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test func thePeerIsTheOtherLibrary() throws {
    let libraries = try ChildProcess("/usr/bin/env", ["ldd", try #require(LibcryptoPeer.path)]).wait().output
    #expect(libraries.contains("libcrypto") && !libraries.contains("libsodium"))
  }

  @Test(arguments: [0, 1, 2, 40, 127, 128, 200, 255] as [UInt8]) func primitives(seed: UInt8) throws {
    let own = PrimitiveTranscript.lines(seed: seed)
    #expect(own.contains("low order refused") && own.contains("opened true true"))
    #expect(try peer("primitives", "\(seed)") == own)
  }

  @Test(arguments: FileExchange.allCases) func whatOneWritesTheOtherReads(kind: FileExchange) throws {
    let place = TemporaryDirectory()
    let (own, others) = (place.path(of: "own"), place.path(of: "others"))
    for path in [own, others] { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
    try kind.write(to: own)
    let expected = try kind.read(from: own)
    #expect(expected.count > 90 && !expected.contains("damaged"))
    #expect(try peer("read", kind.rawValue, own) == expected)
    #expect(try peer("write", kind.rawValue, others) == [])
    #expect(try kind.read(from: others) == expected)
  }

  /// The key check, in both directions.
  @Test(arguments: FileExchange.allCases) func aWrongKeyIsOneForBoth(kind: FileExchange) throws {
    let place = TemporaryDirectory()
    let (own, others) = (place.path(of: "own"), place.path(of: "others"))
    for path in [own, others] { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
    try kind.write(to: own)
    _ = try peer("write", kind.rawValue, others)
    let expected = "the key is not this file's"
    #expect(kind.errorOfWrongKey(own) == expected && kind.errorOfWrongKey(others) == expected)
    #expect(try peer("wrong-key", kind.rawValue, own) == [expected])
    #expect(try peer("wrong-key", kind.rawValue, others) == [expected])
  }
}

/// What every build computes, whatever it seals with.
@Suite struct SealingTranscriptTests {
  private static let root = String(#filePath).replacingOccurrences(
    of: "/Tests/MailboxLogTests/Processes/SealingBackendTests.swift", with: "")

  @Test func itIsAsItWasWrittenDown() throws {
    let written = try String(contentsOfFile: Self.root + "/Tests/SealingTranscript/primitives.txt", encoding: .utf8)
    let seeds = [0, 1, 2, 40, 127, 128, 200, 255] as [UInt8]
    #expect(written == seeds.map { "seed \($0)\n" + PrimitiveTranscript.lines(seed: $0).map { $0 + "\n" }.joined() }.joined())
  }

  /// Files that `Tests/on-a-mac` wrote on a Mac, sealed by CryptoKit.
  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["ANTEROOM_APPLE_FILES"] != nil, "needs files from a Mac, see Tests/on-a-mac"),
    arguments: FileExchange.allCases)
  func filesFromAMac(kind: FileExchange) throws {
    let place = TemporaryDirectory()
    try kind.write(to: place.path)
    let directory = try #require(ProcessInfo.processInfo.environment["ANTEROOM_APPLE_FILES"])
    #expect(try kind.read(from: directory + "/" + kind.rawValue) == kind.read(from: place.path))
  }
}
