import Foundation
import TestSupport
import Testing

@testable import ObjectStorage
@testable import StorageIO

@Suite struct StoragePathTests {
  private let place = TemporaryDirectory()

  private func resolve(
    _ location: StorageLocation, fileName: String = "default", program: String = "app", _ variables: [String: String] = [:]
  ) throws(StorageError) -> StoragePath {
    let environment = StorageEnvironment(programName: program) { variables[$0] }
    let configuration = StorageConfiguration(location: location, fileName: fileName, objectTypes: [])
    return try StoragePath.resolve(configuration, environment: environment)
  }

  @Test func aFileIsTakenAsGiven() throws {
    #expect(try resolve(.file(URL(filePath: "/a/b c.db")), fileName: "x") == .file("/a/b c.db"))
    #expect(try resolve(.file(URL(filePath: "/a/é%20.db"))) == .file("/a/é%20.db"))
    #expect(try resolve(.file(URL(filePath: "b", relativeTo: URL(filePath: "/a/", directoryHint: .isDirectory)))) == .file("/a/b"))
    #expect(try resolve(.file(URL(filePath: "/a/b", directoryHint: .isDirectory))) == .file("/a/b"))
  }

  @Test func aDirectoryGetsTheName() throws {
    #expect(try resolve(.directory(URL(filePath: "/a/"))) == .file("/a/default.store"))
    #expect(try resolve(.directory(URL(filePath: "/a")), fileName: "my.data") == .file("/a/my.data.store"))
    #expect(try resolve(.directory(URL(filePath: "/"))) == .file("/default.store"))
  }

  @Test func memoryHasNoPath() throws { #expect(try resolve(.inMemory(identifier: "m")) == .memory(identifier: "m")) }

  @Test(arguments: ["", "a/b", "../a", "a\0b"]) func aNameThatLeadsElsewhereIsRefused(_ name: String) {
    #expect(throws: StorageError.system(call: "open", errno: EINVAL, path: name)) {
      try resolve(.directory(URL(filePath: "/a")), fileName: name)
    }
  }

  @Test(arguments: ["https://example.org/a", "file:///a%00b"]) func aURLThatIsNoFileIsRefused(_ text: String) throws {
    let url = try #require(URL(string: text))
    #expect(throws: StorageError.system(call: "open", errno: EINVAL, path: text)) { try resolve(.file(url)) }
  }

  @Test func missingDirectoriesAreMadePrivate() throws {
    let path = place.path(of: "a/b/c/default.store")
    try StoragePath.makeDirectories(for: path)
    #expect(place.names == ["a", "a/b", "a/b/c"])
    for name in place.names { #expect(try mode(place.path(of: name)) == 0o700) }
    try StoragePath.makeDirectories(for: path)
  }

  @Test func directoriesThatAreThereKeepTheirRights() throws {
    try StoragePath.makeDirectories(for: place.path(of: "a/f"))
    try setMode(place.path(of: "a"), 0o755)
    try StoragePath.makeDirectories(for: place.path(of: "a/b/f"))
    #expect(try mode(place.path(of: "a")) == 0o755)
    try FileManager.default.createSymbolicLink(atPath: place.path(of: "link"), withDestinationPath: place.path(of: "a"))
    try StoragePath.makeDirectories(for: place.path(of: "link/c/f"))
    #expect(place.names.contains("a/c"))
  }

  @Test func whatIsInTheWayIsLeftAlone() throws {
    place.write([1], to: "a")
    try FileManager.default.createSymbolicLink(atPath: place.path(of: "nowhere"), withDestinationPath: place.path(of: "none"))
    for name in ["a", "nowhere"] {
      #expect(throws: StorageError.storageDirectoryUnavailable(path: "")) {
        try StoragePath.makeDirectories(for: place.path(of: name + "/f"))
      }
      #expect(throws: StorageError.storageDirectoryUnavailable(path: "")) {
        try StoragePath.makeDirectories(for: place.path(of: name + "/b/f"))
      }
    }
    #expect(place.names == ["a", "nowhere"])
  }

  #if DEBUG
    @Test func noRoomAndNoRightsAreToldApart() {
      let path = place.path(of: "a/f")
      for code in [ENOSPC, EDQUOT] {
        let calls = CountingCalls()
        calls.fail(.makeDirectory, with: code)
        #expect(throws: StorageError.noSpace) { try StoragePath.makeDirectories(for: path, system: calls) }
      }
      for code in [EACCES, EROFS, EIO] {
        let calls = CountingCalls()
        calls.fail(.makeDirectory, with: code)
        #expect(throws: StorageError.storageDirectoryUnavailable(path: "")) {
          try StoragePath.makeDirectories(for: path, system: calls)
        }
      }
      #expect(place.names.isEmpty)
    }

    @Test func aDirectoryWillDoThatCouldNotBeMade() throws {
      let calls = CountingCalls()
      calls.fail(.makeDirectory, with: EROFS)
      try StoragePath.makeDirectories(for: place.path(of: "f"), system: calls)
    }
  #endif
}

/// The permissions of what a path leads to.
func mode(_ path: String) throws -> Int {
  try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
}
func setMode(_ path: String, _ mode: Int) throws {
  try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}
