import Foundation
import TestSupport
import Testing

@testable import ObjectStorage
@testable import StorageIO

@Suite struct DescriptorSecretTests {
  @Test func aPipeIsReadToItsEndOnce() throws {
    let pipe = Pipe()
    let store = FileDescriptorSecretStore(fileDescriptor: pipe.fileHandleForReading.fileDescriptor)
    try pipe.fileHandleForWriting.write(contentsOf: Data(1...20))
    Thread {
      usleep(5000)
      try? pipe.fileHandleForWriting.write(contentsOf: Data(21...32))
      try? pipe.fileHandleForWriting.close()
    }.start()
    #expect(try store.data(forKey: "a") == Data(1...32))
    #expect(try store.data(forKey: "b") == Data(1...32))
  }

  @Test func nothingIsReadBeforeItIsAskedFor() throws {
    let pipe = Pipe()
    _ = FileDescriptorSecretStore(fileDescriptor: pipe.fileHandleForReading.fileDescriptor)
    try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
    try pipe.fileHandleForWriting.close()
    #expect(try pipe.fileHandleForReading.readToEnd() == Data([1]))
  }

  @Test func tooMuchIsNoSecret() throws {
    let place = TemporaryDirectory()
    place.write([UInt8](repeating: 1, count: SecretFiles.byteCountMax + 1), to: "f")
    place.write([UInt8](repeating: 1, count: SecretFiles.byteCountMax), to: "g")
    let (long, longest) = (FileHandle(forReadingAtPath: place.path(of: "f")), FileHandle(forReadingAtPath: place.path(of: "g")))
    let descriptor = try #require(long).fileDescriptor
    let store = FileDescriptorSecretStore(fileDescriptor: descriptor)
    for _ in 0..<2 {
      #expect(throws: SecretStoreError.system(call: "read", errno: EFBIG, path: "descriptor \(descriptor)")) {
        try store.data(forKey: "k")
      }
    }
    let fitting = FileDescriptorSecretStore(fileDescriptor: try #require(longest).fileDescriptor)
    #expect(try fitting.data(forKey: "k")?.count == SecretFiles.byteCountMax)
  }

  @Test func anErrorStays() {
    let store = FileDescriptorSecretStore(fileDescriptor: -1)
    for _ in 0..<2 {
      #expect(throws: SecretStoreError.system(call: "read", errno: EBADF, path: "descriptor -1")) { try store.data(forKey: "k") }
    }
  }

  @Test func itIsForReadingOnly() {
    let store = FileDescriptorSecretStore(fileDescriptor: -1)
    #expect(throws: SecretStoreError.readOnly) { try store.set(Data(), forKey: "k") }
    #expect(throws: SecretStoreError.readOnly) { try store.setIfAbsent(Data(), forKey: "k") }
    #expect(throws: SecretStoreError.readOnly) { try store.removeData(forKey: "k") }
  }
}
