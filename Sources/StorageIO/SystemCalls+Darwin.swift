#if canImport(Darwin)
  import CSystem
  import RawMemory

  extension SystemCalls {
    /// What the file system does on overwrite, by its name; what isn't known counts as `mayAllocateAgain`, as APFS does.
    static func kind(name: Span<UInt8>) -> FileSystemKind {
      func isAmong(_ names: [String]) -> Bool { names.contains { name.equals(Array($0.utf8).span) } }
      if isAmong(["hfs", "msdos", "exfat"]) { return .overwritesInPlace }
      if isAmong(["nfs", "smbfs", "afpfs", "webdav", "ftp", "cifs"]) { return .network }
      return .mayAllocateAgain
    }

    /// The device has it: there is no call that does that for the data alone.
    func liveSynchronizeData(_ descriptor: Int32) -> Int { result(Int(anteroom_synchronize(descriptor))) }
    func liveSynchronize(_ descriptor: Int32) -> Int { result(Int(anteroom_synchronize(descriptor))) }
    func liveAllocate(_ descriptor: Int32, _ range: Range<UInt64>) -> Int {
      result(Int(anteroom_allocate(descriptor, Int64(range.upperBound))))
    }

    /// A volume without protection classes, as on most Macs, or without attributes has no use for either.
    func liveProtect(_ descriptor: Int32, _ protection: FileProtection) -> Int {
      for code in [
        anteroom_set_protection(descriptor, protection.protectionClass.rawValue),
        protection.isExcludedFromBackup ? anteroom_exclude_from_backup(descriptor) : 0,
      ] where code != 0 {
        let code = result(-1)
        if code != -Int(ENOTSUP), code != -Int(EINVAL), code != -Int(ENOTTY) { return code }
      }
      return 0
    }

    func liveProtect(directory path: String, _ protection: FileProtection) -> Int {
      let descriptor = open(path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
      guard descriptor >= 0 else { return descriptor }
      defer { _ = close(Int32(descriptor)) }
      return liveProtect(Int32(descriptor), protection)
    }

    func liveList(_ path: String, _ body: (Span<UInt8>) -> Void) -> Int {
      guard let directory = unsafe path.withCString({ unsafe opendir($0) }) else { return -Int(anteroom_errno()) }
      defer { unsafe _ = closedir(directory) }
      while let name = unsafe anteroom_next_entry(directory) {
        if unsafe strcmp(name, ".") == 0 { continue }
        if unsafe strcmp(name, "..") == 0 { continue }
        let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name)).bindMemory(to: UInt8.self)
        unsafe body(Span(_unsafeElements: bytes))
      }
      return -Int(anteroom_errno())
    }

    func liveFileSystem(_ path: String, _ kind: inout FileSystemKind) -> Int {
      let name = ByteBuffer(count: 16)
      let code = unsafe name.withUnsafeAddress(0..<16) { name in
        unsafe path.withCString { unsafe anteroom_file_system_name($0, name.assumingMemoryBound(to: CChar.self)) }
      }
      if code != 0 { return -Int(anteroom_errno()) }
      let count = (0..<16).first { name.load(UInt8.self, at: $0) == 0 } ?? 16
      kind = name.withSpan(0..<count) { Self.kind(name: $0) }
      return 0
    }

    /// Without access to the file: it keeps no volume busy, and no class of protection closes it.
    func liveWatchFile(_ path: String) -> Int { open(path, flags: O_EVTONLY | O_CLOEXEC, mode: 0) }
    func liveWatchDirectory(_ path: String) -> Int { open(path, flags: O_EVTONLY | O_CLOEXEC | O_DIRECTORY, mode: 0) }
    /// Such a descriptor keeps no events: the source that listens to it does.
    func liveClearWatch(_ descriptor: Int32) {}

    /// Never fails, and never gives less.
    func liveRandom(_ buffer: ByteBuffer, _ range: Range<Int>) -> Int {
      unsafe buffer.withUnsafeAddress(range) { unsafe arc4random_buf($0, range.count) }
      return range.count
    }

    func liveMemoryFile() -> Int { result(Int(anteroom_memory_file())) }

    func liveBootIdentity() -> UInt64 {
      let text = ByteBuffer(count: 37)
      let code = unsafe text.withUnsafeAddress(0..<37) {
        unsafe anteroom_boot_session($0.assumingMemoryBound(to: CChar.self))
      }
      return code == 0 ? Identity.fold(text, 0..<36) : 0
    }
  }
#endif
