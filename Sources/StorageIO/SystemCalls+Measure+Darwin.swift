#if canImport(Darwin)
  extension SystemCalls {
    /// Other processes can't be measured without privileges here.
    package func measure(_ arguments: [String]) -> ProcessCost? { nil }
    /// A mapping keeps no lock there.
    package func path(ofOpen descriptor: Int32) -> String? { nil }
    package func ownExecutable() -> String? { nil }
  }
#endif
