#if canImport(Darwin)
  import Darwin

  /// What the kernel says of this process's memory: the physical footprint, which is what an extension's limit is about.
  enum ProcessMemory {
    /// The kernel's own peak can't begin anew, so a thread looks at the footprint as long as a measurement runs.
    static func resetPeak() -> Bool { false }

    static func read() throws(FootprintError) -> (resident: Int, peak: Int, anonymous: Int) {
      var info = task_vm_info_data_t()
      var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
      let result = unsafe withUnsafeMutablePointer(to: &info) { info in
        unsafe info.withMemoryRebound(to: integer_t.self, capacity: Int(count)) { words in
          unsafe task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), words, &count)
        }
      }
      guard result == KERN_SUCCESS else { throw .unreadable }
      return (Int(info.phys_footprint), Int(info.phys_footprint), Int(info.phys_footprint))
    }
  }
#endif
