#if os(Linux)
  import CSystem
  import RawMemory

  extension SystemCalls {
    /// What the file system does on overwrite, by its magic number; what isn't known counts as `mayAllocateAgain`.
    static func kind(magic: Int64) -> FileSystemKind {
      switch magic {
      case 0xEF53, 0x0102_1994, 0x8584_58F6, 0xF2F5_2010: .overwritesInPlace  // ext4, tmpfs, ramfs, F2FS (pinned by allocation)
      case 0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x517B, 0x0102_1997, 0x00C3_6400, 0x5346_414F, 0x0BD0_0BD0, 0x4750_4653:
        .network  // NFS, CIFS, SMB2, SMB, 9P, Ceph, AFS, Lustre, GPFS
      default: .mayAllocateAgain
      }
    }

    func liveSynchronizeData(_ descriptor: Int32) -> Int { result(Int(fdatasync(descriptor))) }
    func liveSynchronize(_ descriptor: Int32) -> Int { result(Int(fsync(descriptor))) }
    func liveAllocate(_ descriptor: Int32, _ range: Range<UInt64>) -> Int {
      let code = posix_fallocate(descriptor, off_t(range.lowerBound), off_t(range.count))
      return code == 0 ? 0 : -Int(code)
    }

    func liveProtect(_ descriptor: Int32, _ protection: FileProtection) -> Int { 0 }
    func liveProtect(directory path: String, _ protection: FileProtection) -> Int { 0 }

    func liveList(_ path: String, _ body: (Span<UInt8>) -> Void) -> Int {
      let descriptor = unsafe path.withCString { result(unsafe Int(anteroom_open_directory($0))) }
      if descriptor < 0 { return descriptor }
      defer { _ = close(Int32(descriptor)) }
      let buffer = ByteBuffer(count: 4096)
      return unsafe buffer.withUnsafeAddress(0..<buffer.count) { entries in
        while true {
          let count = result(unsafe anteroom_read_entries(Int32(descriptor), entries, buffer.count))
          if count <= 0 { return count }
          var offset = 0
          while offset < count {
            let name = unsafe anteroom_next_name(entries, &offset)!
            let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name)).bindMemory(to: UInt8.self)
            if unsafe strcmp(name, ".") == 0 { continue }
            if unsafe strcmp(name, "..") == 0 { continue }
            unsafe body(Span(_unsafeElements: bytes))
          }
        }
      }
    }

    func liveFileSystem(_ path: String, _ kind: inout FileSystemKind) -> Int {
      let magic = unsafe path.withCString { unsafe anteroom_file_system_magic($0) }
      if magic < 0 { return -Int(anteroom_errno()) }
      kind = Self.kind(magic: magic)
      return 0
    }

    func liveWatchDirectory(_ path: String) -> Int {
      let descriptor = result(Int(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))))
      guard descriptor >= 0 else { return descriptor }
      let events = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
      let watch = unsafe path.withCString { result(unsafe Int(inotify_add_watch(Int32(descriptor), $0, events))) }
      guard watch >= 0 else {
        _ = close(Int32(descriptor))
        return watch
      }
      return descriptor
    }

    /// The watch of a directory tells of what is written to its files.
    func liveWatchFile(_ path: String) -> Int { -Int(EOPNOTSUPP) }

    func liveClearWatch(_ descriptor: Int32) {
      let buffer = ByteBuffer(count: 4096)
      unsafe buffer.withUnsafeAddress(0..<4096) { while unsafe CSystem.read(descriptor, $0, 4096) > 0 {} }
    }

    func liveRandom(_ buffer: ByteBuffer, _ range: Range<Int>) -> Int {
      unsafe buffer.withUnsafeAddress(range) { result(unsafe getrandom($0, range.count, 0)) }
    }

    func liveMemoryFile() -> Int { unsafe "anteroom".withCString { result(unsafe Int(anteroom_memory_file($0))) } }

    func liveProcessLiveness(_ process: Int32, _ startTime: inout UInt64?) -> ProcessLiveness {
      // 0 and below would ask for whole groups.
      guard process > 0 else { return .unknown }
      if kill(process, 0) != 0 {
        // Somebody else's process is there too.
        switch anteroom_errno() {
        case ESRCH: return .dead
        case EPERM: break
        default: return .unknown
        }
      }
      guard let status = liveProcessStatus(process) else { return .alive }
      if status.hasEnded { return .dead }
      startTime = status.startTime
      return .alive
    }

    /// nil too where /proc speaks of another namespace than `kill` does: there the number is another process's.
    func liveProcessStatus(_ process: Int32) -> ProcessStatus? {
      // Start times are shown by the clock of the namespace for time: of the first one only, they are the same for everybody.
      let time = unsafe "/proc/self/ns/time".withCString { unsafe anteroom_inode($0) }
      guard time == 0 || time == 0xEFFF_FFFA else { return nil }
      guard let own = contents(of: "/proc/self/status"), ProcessStatus.isOfOwnNamespace(statusFile: own) else { return nil }
      return contents(of: "/proc/\(process)/stat").flatMap { ProcessStatus(parsing: $0) }
    }

    func liveProcessNamespace() -> UInt64 { unsafe "/proc/self/ns/pid".withCString { unsafe anteroom_inode($0) } }

    func liveProcessImage() -> [UInt8]? {
      guard let address = unsafe anteroom_image_bytes() else { return nil }
      return unsafe [UInt8](UnsafeRawBufferPointer(start: address, count: 16))
    }

    /// Of a file in /proc of at most 4,096 bytes that count.
    private func contents(of path: String) -> [UInt8]? {
      let descriptor = open(path, flags: O_RDONLY | O_CLOEXEC, mode: 0)
      guard descriptor >= 0 else { return nil }
      defer { _ = close(Int32(descriptor)) }
      let buffer = ByteBuffer(count: 4096)
      let count = unsafe buffer.withUnsafeAddress(0..<4096) { unsafe CSystem.read(Int32(descriptor), $0, 4096) }
      return count > 0 ? buffer.bytes(0..<count) : nil
    }

    /// 48 bits of the kernel's boot id; 0 when it can't be read, which is never equal to anything.
    func liveBootIdentity() -> UInt64 {
      let descriptor = open("/proc/sys/kernel/random/boot_id", flags: O_RDONLY | O_CLOEXEC, mode: 0)
      guard descriptor >= 0 else { return 0 }
      defer { _ = close(Int32(descriptor)) }
      let buffer = ByteBuffer(count: 36)
      let count = unsafe buffer.withUnsafeAddress(0..<36) { unsafe CSystem.read(Int32(descriptor), $0, 36) }
      return count == 36 ? Identity.fold(buffer, 0..<36) : 0
    }
  }
#endif
