#if DEBUG
  import CSystem

  /// Looking at files and changing them from outside. None of this counts as a call, appears in a history, or can fail by a fault.
  extension CrashKernel {
    /// nil when no file has this path.
    package func contents(_ path: String) -> [UInt8]? {
      core.locked { inode(path).flatMap { $0.isDirectory ? nil : $0.contents() } }
    }
    package func exists(_ path: String) -> Bool { core.locked { inode(path) != nil } }
    package func isLocked(_ path: String) -> Bool { core.locked { inode(path)?.lockHolder != nil } }
    package func inodeNumber(_ path: String) -> UInt64? { core.locked { inode(path)?.number } }
    /// Sorted; empty when there is no such directory.
    package func names(_ path: String) -> [String] { core.locked { inode(path)?.entries.keys.sorted() ?? [] } }

    /// Makes a durable directory, with all above it.
    package func putDirectory(_ path: String) {
      core.locked { _ = outside { directory(core.parts(path).parts[...]) } }
    }

    /// Makes a durable file, with all directories above it, in place of what has the name: another inode, as a restored copy is.
    package func put(_ path: String, _ bytes: [UInt8]) {
      core.locked {
        outside {
          let parts = core.parts(path).parts
          let parent = directory(parts.dropLast())
          if parent.entries[parts.last!] != nil { _ = core.unlink(path) }
          let made = core.make(parts.last!, in: parent, isDirectory: false, mode: 0o600)
          made.replace(bytes)
          core.durability.overwrite(made.number, bytes: bytes)
          core.durability.apply(.synchronized(inode: parent.number))
        }
      }
    }

    /// Changes a file in place, in the cache and on the disk at once: damage, or a cut from outside.
    package func alter(_ path: String, _ change: (inout [UInt8]) -> Void) {
      core.locked {
        guard let inode = inode(path) else { preconditionFailure("no file at \(path)") }
        outside {
          var bytes = inode.contents()
          change(&bytes)
          inode.replace(bytes)
          core.durability.apply(.synchronized(inode: inode.number))
          core.durability.overwrite(inode.number, bytes: bytes)
        }
      }
    }

    private func inode(_ path: String) -> Inode? {
      var found: Inode?
      _ = core.find(path, &found)
      return found
    }

    private func directory(_ parts: ArraySlice<String>) -> Inode {
      var current = core.root
      for part in parts {
        if let next = current.entries[part] {
          current = next
        } else {
          let next = core.make(part, in: current, isDirectory: true, mode: 0o700)
          core.durability.apply(.synchronized(inode: current.number))
          current = next
        }
      }
      return current
    }

    /// A history can't replay what goes around the calls, so it has to begin afterwards.
    private func outside<R>(_ body: () -> R) -> R {
      precondition(!core.isRecording || core.events.isEmpty, "prepare files before the recorded run")
      let wasRecording = core.isRecording
      core.isRecording = false
      defer {
        core.isRecording = wasRecording
        core.recordingStart = core.durability
      }
      return body()
    }
  }
#endif
