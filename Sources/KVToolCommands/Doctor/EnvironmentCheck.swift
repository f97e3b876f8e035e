import Sealing
import StorageIO

/// What `doctor` says about the process's surroundings.
struct EnvironmentCheck {
  private let diagnosis: Diagnosis
  private let system: SystemCalls

  init(_ diagnosis: Diagnosis, _ system: SystemCalls) {
    self.diagnosis = diagnosis
    self.system = system
  }

  func run() throws {
    try diagnosis.add(.ok, "kvtool", KVTool.version)
    try checkSealing()
    try checkLimits()
    try checkSystem()
    if let directory = system.environment("TMPDIR"), !directory.isEmpty {
      let path = String(decoding: directory, as: UTF8.self)
      var status: FileStatus?
      if system.status(path: path, &status) < 0 || status?.kind != .directory {
        try diagnosis.add(.problem, "TMPDIR", "no directory is there: set it to one, or unset it")
      }
    }
  }

  /// Of libsodium, 1.0.12 is the first with everything that is called.
  private func checkSealing() throws {
    let (name, version) = (SealingLibrary.name, SealingLibrary.version)
    let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
    if name == "libsodium", numbers.lexicographicallyPrecedes([1, 0, 12]) {
      try diagnosis.add(.problem, name, "\(version) is too old: install 1.0.12 or newer")
    } else {
      try diagnosis.add(.ok, name, version)
    }
  }

  private func checkLimits() throws {
    switch system.limit(.coreDump) {
    case 0: try diagnosis.add(.ok, "core dumps", "off")
    case let limit:
      let size = limit.map { "up to \($0) bytes" } ?? "of any size"
      try diagnosis.add(
        .note, "core dumps",
        "\(size): records that a process was reading may be in one (keys are kept out); `ulimit -c 0` turns them off")
    }
    switch system.limit(.lockedMemory) {
    case .some(let limit) where limit < 64 << 10:
      try diagnosis.add(
        .note, "locked memory", "limited to \(limit) bytes: keys may be written to swap space; `ulimit -l 64` is enough")
    default: try diagnosis.add(.ok, "locked memory", "enough for keys")
    }
    if let limit = system.limit(.descriptors), limit < 64 {
      try diagnosis.add(.problem, "open files", "limited to \(limit): raise it to 64 or more with `ulimit -n`")
    } else {
      try diagnosis.add(.ok, "open files", "enough")
    }
    if let limit = system.limit(.fileByteCount) {
      try diagnosis.add(
        .problem, "file size", "limited to \(limit) bytes: writes fail there as on a full disk; raise it with `ulimit -f`")
    }
  }

  private func checkSystem() throws {
    if system.bootIdentity() == 0 {
      try diagnosis.add(
        .note, "boot identity", "can't be read: after each opening, what was never synced is looked at anew (mount /proc)")
    }
    // 2024: what is before is a clock that was never set.
    if system.realtimeMicroseconds() < 1_704_067_200_000_000 {
      try diagnosis.add(.problem, "clock", "stands before 2024, so nothing expires when it should: set it")
    } else {
      try diagnosis.add(.ok, "clock", TimestampText.text(microseconds: system.realtimeMicroseconds()))
    }
  }
}
