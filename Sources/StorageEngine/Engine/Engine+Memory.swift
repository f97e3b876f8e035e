package import StorageIO
import Synchronization

/// Stores in memory, by their identifier, for as long as somebody has them open.
private let memoryEngines = Mutex<[String: WeakEngine]>([:])
private struct WeakEngine {
  weak var engine: Engine?
}

extension Engine {
  /// Whether there is one of this identifier in the process.
  package static func isInMemory(_ identifier: String) -> Bool { memoryEngines.withLock { $0[identifier]?.engine != nil } }

  /// How many stores of this process have it open.
  package static func storeCount(inMemory identifier: String) -> Int {
    memoryEngines.withLock { $0[identifier]?.engine?.storeCount.load(ordering: .relaxed) ?? 0 }
  }
  /// Whoever holds it keeps it, and the next to open this identifier gets another.
  package static func forgetInMemory(_ identifier: String) { memoryEngines.withLock { $0[identifier] = nil } }

  /// A store in memory, sealed or plain, that lives as long as an engine, a snapshot or a transaction of it.
  ///
  /// - Throws: as for a file.
  package static func openInMemory(_ identifier: String, options: EngineOptions = EngineOptions(), system: SystemCalls = .live)
    throws(EngineError) -> Engine
  {
    try memoryEngines.withLock { engines throws(EngineError) in
      if let known = engines[identifier]?.engine, known.isUsable {
        try known.check(options)
        return known
      }
      let file = try EngineCreation.makeInMemory(system, options: options)
      guard let opening = try EngineOpening(system, path: "memory", options: options, file: file, wasCreated: true) else {
        throw .notFound(path: "memory")
      }
      let engine = Engine(opening)
      engines[identifier] = WeakEngine(engine: engine)
      return engine
    }
  }
}
