import Foundation
import TestSupport
import Testing

@testable import ObjectStorage

/// Of many that make a secret at once, all get the same one.
@Suite(.serialized) struct SecretRaceTests {
  private static func race(_ store: any SecretStore, key: String, count: Int = 16) async throws -> Set<Data> {
    try await withThrowingTaskGroup(of: Data.self) { group in
      for index in 1...count {
        group.addTask { try store.setIfAbsent(Data(repeating: UInt8(index), count: 32), forKey: key) }
      }
      return try await group.reduce(into: []) { $0.insert($1) }
    }
  }

  @Test func threads() async throws {
    let place = TemporaryDirectory()
    let stores: [any SecretStore] = [InMemorySecretStore(), FileSecretStore(directory: URL(filePath: place.path(of: "s")))]
    for store in stores {
      for round in 0..<20 {
        let values = try await Self.race(store, key: "k\(round)")
        #expect(values.count == 1)
        #expect(try store.data(forKey: "k\(round)") == values.first)
      }
    }
    #expect(litter(in: place.path).isEmpty)
  }

  @Test func processes() async throws {
    let place = TemporaryDirectory()
    try await raceProcesses(place) { FileSecretStore(directory: URL(filePath: $0 + "/s")) }
    #expect(litter(in: place.path).isEmpty)
    #expect(place.names.filter { $0.hasPrefix("s/") }.count == RacingProcess.roundCount)
  }

  private func raceProcesses(_ place: TemporaryDirectory, _ make: (String) -> FileSecretStore) async throws {
    await withTaskGroup { group in
      for index in 1...3 {
        let path = place.path
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String, index = index as Int] in
            RacingProcess(path: path, index: index, of: 3).run(FileSecretStore(directory: URL(filePath: path + "/s")))
          }
        }
      }
    }
    try RacingProcess.check(place, of: 3, make(place.path))
  }
}

/// One of several processes that make the same secrets, each round at the same moment.
struct RacingProcess {
  static let roundCount = 20
  let path: String
  let index: Int
  let of: Int

  init(path: String, index: Int, of count: Int) {
    self.path = path
    self.index = index
    of = count
  }

  /// Stores a secret of its own a round, and writes down which one is there.
  func run(_ store: some SecretStore) {
    for round in 0..<Self.roundCount {
      precondition(FileManager.default.createFile(atPath: "\(path)/ready-\(round)-\(index)", contents: nil))
      // Nobody waits longer than a test may take.
      var attempts = 0
      while attempts < 200_000, !(1...of).allSatisfy({ FileManager.default.fileExists(atPath: "\(path)/ready-\(round)-\($0)") }) {
        attempts += 1
        usleep(100)
      }
      do {
        let value = try store.setIfAbsent(Data(repeating: UInt8(index), count: 32), forKey: "k\(round)")
        precondition(FileManager.default.createFile(atPath: "\(path)/value-\(round)-\(index)", contents: value))
      } catch { fatalError("\(error)") }
    }
  }

  /// Expects all processes to have seen the same secrets.
  static func check(_ place: TemporaryDirectory, of count: Int, _ store: some SecretStore) throws {
    for round in 0..<roundCount {
      let stored = try store.data(forKey: "k\(round)").map { [UInt8]($0) }
      #expect(stored?.count == 32)
      for index in 1...count { #expect(place.contents("value-\(round)-\(index)") == stored) }
    }
  }
}
