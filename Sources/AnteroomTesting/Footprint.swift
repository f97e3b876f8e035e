/// What a piece of code took in memory, above what was there before it.
public struct Footprint: Sendable {
  /// Resident bytes at the most, above those at the beginning. What an extension's limit looks at.
  public internal(set) var peakByteCount: Int
  /// Of what stayed, bytes that no file backs.
  public internal(set) var keptByteCount: Int
}

/// Why a measurement says no, or nothing.
public enum FootprintError: Error, CustomStringConvertible {
  /// The code took more.
  case exceeded(peak: Int, limit: Int)
  /// The kernel doesn't tell.
  case unreadable

  /// One sentence for people.
  public var description: String {
    switch self {
    case .exceeded(let peak, let limit): "its peak was \(peak >> 10) KiB above what there was, and the limit is \(limit >> 10) KiB"
    case .unreadable: "this system doesn't tell what memory the process has"
    }
  }
}

/// Runs code and measures how much memory it takes at its peak.
///
/// Guarantee: what other threads of the process take meanwhile counts too, and what was free in the allocator's hands before doesn't; so
/// run it alone, and on code that hasn't run yet for its first use.
/// - Parameter body: what a delivery does, say: open, append, close.
/// - Returns: the bytes, in pages of the system.
/// - Throws: what `body` throws, and ``FootprintError/unreadable``.
/// - Complexity: on Linux the kernel counts; elsewhere a thread looks every 100 microseconds, and peaks that are shorter can be missed.
public func footprint(of body: () throws -> Void) throws -> Footprint {
  let measurement = try Measurement()
  do { try body() } catch {
    measurement.abandon()
    throw error
  }
  return try measurement.end()
}

/// The same for code that suspends.
public func footprint(of body: () async throws -> Void) async throws -> Footprint {
  let measurement = try Measurement()
  do { try await body() } catch {
    measurement.abandon()
    throw error
  }
  return try measurement.end()
}

/// Runs code and fails unless it stays below a limit: for a test of an extension or another small process.
///
/// ```swift
/// @Test func aDeliveryIsSmall() throws {
///   try assertFootprint(below: 2 << 20) { try deliver(push) }
/// }
/// ```
/// - Parameters:
///   - limit: bytes above what the process has at the call.
///   - body: as for ``footprint(of:)``.
/// - Returns: what it took.
/// - Throws: ``FootprintError/exceeded(peak:limit:)``, and what ``footprint(of:)`` throws; either fails a test of any framework.
@discardableResult
public func assertFootprint(below limit: Int, _ body: () throws -> Void) throws -> Footprint {
  try footprint(of: body).checked(against: limit)
}

/// The same for code that suspends.
@discardableResult
public func assertFootprint(below limit: Int, _ body: () async throws -> Void) async throws -> Footprint {
  try await footprint(of: body).checked(against: limit)
}

extension Footprint {
  fileprivate func checked(against limit: Int) throws(FootprintError) -> Footprint {
    if peakByteCount >= limit { throw .exceeded(peak: peakByteCount, limit: limit) }
    return self
  }
}

/// What both forms do before and after the code.
private struct Measurement {
  private let before: (resident: Int, peak: Int, anonymous: Int)
  private let watch: PeakWatch?

  init() throws(FootprintError) {
    let isCounted = ProcessMemory.resetPeak()
    before = try ProcessMemory.read()
    watch = isCounted ? nil : PeakWatch()
  }

  /// The code threw: nothing is measured.
  func abandon() { _ = watch?.stop() }

  func end() throws(FootprintError) -> Footprint {
    let after = try ProcessMemory.read()
    let peak = max(watch?.stop() ?? after.peak, after.resident)
    return Footprint(peakByteCount: max(0, peak - before.resident), keptByteCount: max(0, after.anonymous - before.anonymous))
  }
}
