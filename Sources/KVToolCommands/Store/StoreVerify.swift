import ObjectStorage
import StorageEngine

/// `verify` on a store: pages first, and where those are sound, rows against indexes.
enum StoreVerify {
  private static let attemptCountMax = 8

  static func run(_ invocation: Invocation) throws -> ExitCode {
    invocation.output.isHeldBack = true
    defer { invocation.output.isHeldBack = false }
    var attemptCount = 0
    while true {
      do { return try check(invocation) } catch {
        attemptCount += 1
        guard StoreFile.isLoss(error), attemptCount < attemptCountMax, invocation.output.takeBack() else { throw error }
      }
    }
  }

  private static func check(_ invocation: Invocation) throws -> ExitCode {
    let findings = Findings(invocation)
    var summary = ""
    do {
      let engine = try StoreFile.engine(invocation)
      let snapshot = try engine.snapshot()
      let report = try snapshot.verify { _, _ in !Interruption.isRequested }
      try ToolFailure.checkInterruption()
      for problem in report.problems { try findings.add(invocation.path, nil, problem) }
      if report.problemCount > report.problems.count {
        try findings.add(invocation.path, nil, "and \(report.problemCount - report.problems.count) more")
      }
      summary = "version \(snapshot.version), \(counted(report.pageCount, "page")), \(report.entryCount) entries"
      if report.isClean {
        for problem in try StoreCore(engine, models: []).reader().indexProblems() { try findings.add(invocation.path, nil, problem) }
      }
    } catch EngineError.corrupted(let page, let reason) {
      try findings.add(invocation.path, nil, "page \(page): \(reason)")
    } catch StorageError.corrupted(let page, let reason) {
      try findings.add(invocation.path, nil, page == 0 ? reason : "page \(page): \(reason)")
    }
    try findings.finish(summary: summary)
    return findings.damageCount > 0 ? .no : .success
  }
}
