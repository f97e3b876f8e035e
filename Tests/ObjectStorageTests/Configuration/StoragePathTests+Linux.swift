#if os(Linux)
  import Foundation
  import Testing

  @testable import ObjectStorage

  @Suite struct XDGTests {
    private func resolve(
      _ location: StorageLocation, program: String = "app", _ variables: [String: String]
    ) throws(StorageError) -> StoragePath {
      let environment = StorageEnvironment(programName: program) { variables[$0] }
      return try StoragePath.resolve(StorageConfiguration(location: location, objectTypes: []), environment: environment)
    }

    @Test func variablesComeFirst() throws {
      let variables = ["HOME": "/h", "XDG_DATA_HOME": "/data/", "XDG_DOCUMENTS_DIR": "/docs"]
      #expect(try resolve(.applicationSupport, variables) == .file("/data/app/default.store"))
      #expect(try resolve(.documents, variables) == .file("/docs/app/default.store"))
    }

    @Test(arguments: ["", "relative/path"]) func aVariableThatIsNoAbsolutePathIsIgnored(_ value: String) throws {
      let variables = ["HOME": "/h", "XDG_DATA_HOME": value, "XDG_DOCUMENTS_DIR": value]
      #expect(try resolve(.applicationSupport, variables) == .file("/h/.local/share/app/default.store"))
      #expect(try resolve(.documents, variables) == .file("/h/Documents/app/default.store"))
    }

    @Test func withoutAHomeThereIsNoDirectory() {
      for variables in [[:], ["HOME": ""], ["HOME": "h"]] {
        #expect(throws: StorageError.storageDirectoryUnavailable(path: "")) { try resolve(.applicationSupport, variables) }
        #expect(throws: StorageError.storageDirectoryUnavailable(path: "")) { try resolve(.documents, variables) }
      }
    }

    @Test(arguments: ["", ".", ".."]) func aProgramWithoutANameHasNoDirectory(_ program: String) {
      #expect(throws: StorageError.storageDirectoryUnavailable(path: "")) {
        try resolve(.applicationSupport, program: program, ["HOME": "/h"])
      }
    }

    @Test func thereAreNoAppGroups() {
      #expect(throws: StorageError.storageDirectoryUnavailable(path: "group.a")) {
        try resolve(.appGroup("group.a"), ["HOME": "/h"])
      }
    }

    @Test func theProgramIsThisOne() {
      let name = StorageEnvironment.live.programName
      #expect(!name.isEmpty && !name.contains("/") && CommandLine.arguments[0].hasSuffix(name))
      #expect(StorageEnvironment.live.variable("HOME") == ProcessInfo.processInfo.environment["HOME"])
    }
  }
#endif
