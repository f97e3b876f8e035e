#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Tells a `Date()` that was a property's default from a date that an init was given.
enum ModelClock {
  /// Shortly before the first property of the process was made; seconds since the reference date.
  ///
  /// A default is made before the property that has it, and the defaults of an init before all of them: a second is enough.
  static let start = Date().timeIntervalSinceReferenceDate - 1

  /// Whether the date can be a default: no older than the first property, and not to come.
  static func canBeDefault(_ date: Double) -> Bool { date >= start && date <= Date().timeIntervalSinceReferenceDate }
}
