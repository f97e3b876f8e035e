import ObjectStorage
import StorageEngine
import StorageIO

/// `verify` on a store: pages first, and where those are sound, rows against indexes.
enum StoreVerify {
  static func run(_ invocation: Invocation) throws -> ExitCode {
    do {
      return try StoreFile.inspect(invocation) { engine in try check(engine, invocation) }
    } catch EngineError.corrupted(let page, let reason) {
      // Not even its meta pages can be read.
      let findings = Findings(invocation)
      try findings.add(invocation.path, nil, sentence(UInt64(page), reason))
      try findings.finish(summary: "")
      return .no
    }
  }

  private static func check(_ engine: Engine, _ invocation: Invocation) throws -> ExitCode {
    let findings = Findings(invocation)
    let snapshot = try engine.snapshot()
    let report = try snapshot.verify { _, _ in !Interruption.isRequested }
    try ToolFailure.checkInterruption()
    for problem in report.problems { try findings.add(invocation.path, nil, problem) }
    if report.problemCount > report.problems.count {
      try findings.add(invocation.path, nil, "and \(report.problemCount - report.problems.count) more")
    }
    if report.isClean {
      do {
        for problem in try StoreFile(engine).reader.indexProblems() { try findings.add(invocation.path, nil, problem) }
      } catch StorageError.corrupted(let page, let reason) {
        try findings.add(invocation.path, nil, sentence(page, reason))
      }
    }
    // Writers may have reused what was looked at.
    if findings.damageCount > 0, try StoreFile.newestVersion(invocation) != snapshot.version {
      throw EngineError.snapshotLost
    }
    let summary = "version \(snapshot.version), \(counted(report.pageCount, "page")), \(report.entryCount) entries"
    try findings.finish(summary: summary)
    return findings.damageCount > 0 ? .no : .success
  }

  private static func sentence(_ page: UInt64, _ reason: String) -> String { page == 0 ? reason : "page \(page): \(reason)" }
}
