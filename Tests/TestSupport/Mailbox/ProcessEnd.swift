import Foundation

/// Says what went wrong and ends the process.
package func stop(_ reason: String) -> Never {
  emit(reason, to: 2)
  exit(1)
}

/// Ends the process unless the condition holds.
package func require(_ condition: Bool, _ reason: @autoclosure () -> String) {
  if !condition { stop(reason()) }
}
