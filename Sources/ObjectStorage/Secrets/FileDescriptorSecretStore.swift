import RawMemory
package import StorageIO
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One secret that was passed as an open descriptor, read to its end once. Writing is `SecretStoreError.readOnly`.
///
/// It has whatever key is asked for. The descriptor stays the caller's, who closes it once the store is open; it is read when the secret
/// is asked for first, and that waits until who writes to it closes their end. An error of reading is thrown again each time.
public final class FileDescriptorSecretStore: SecretStore {
  private enum State {
    case unread
    case read(Data)
    case failed(SecretStoreError)
  }
  private let fileDescriptor: Int32
  private let system: SystemCalls
  private let state = Mutex(State.unread)

  /// The secret of a pipe, a socket or a file. - Parameter fileDescriptor: open for reading; nothing is read yet.
  public convenience init(fileDescriptor: Int32) { self.init(fileDescriptor: fileDescriptor, system: .live) }

  package init(fileDescriptor: Int32, system: SystemCalls) {
    self.fileDescriptor = fileDescriptor
    self.system = system
  }

  deinit {
    state.withLock { state in
      guard case .read(var data) = state else { return }
      state = .unread
      data.wipe()
    }
  }

  /// The secret, whatever the key.
  ///
  /// - Throws: ``SecretStoreError/system(call:errno:path:)``, also with `EFBIG` for more than 64 KiB.
  public func data(forKey key: String) throws -> Data? {
    try state.withLock { state throws(SecretStoreError) in
      if case .unread = state { state = read() }
      switch state {
      case .read(let data): return data
      case .failed(let error): throw error
      case .unread: return nil
      }
    }
  }

  /// Always ``SecretStoreError/readOnly``.
  public func set(_ data: Data, forKey key: String) throws { throw SecretStoreError.readOnly }
  /// Always ``SecretStoreError/readOnly``.
  public func setIfAbsent(_ data: Data, forKey key: String) throws -> Data { throw SecretStoreError.readOnly }
  /// Always ``SecretStoreError/readOnly``.
  public func removeData(forKey key: String) throws { throw SecretStoreError.readOnly }

  private func read() -> State {
    // One byte more than is allowed, to tell.
    let buffer = ByteBuffer(count: SecretFiles.byteCountMax + 1)
    defer { buffer.zero(0..<buffer.count) }
    var count = 0
    while count < buffer.count {
      let result = system.readStream(fileDescriptor, buffer, count..<buffer.count)
      if result == 0 { return .read(Data(copying: buffer, 0..<count)) }
      if result == -Int(ErrorNumber.interrupted) { continue }
      if result < 0 { return .failed(failure(Int32(-result))) }
      count += result
    }
    return .failed(failure(ErrorNumber.fileTooBig))
  }

  private func failure(_ code: Int32) -> SecretStoreError {
    .system(call: "read", errno: code, path: "descriptor \(fileDescriptor)")
  }
}
