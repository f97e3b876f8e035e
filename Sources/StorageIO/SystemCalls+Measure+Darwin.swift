#if canImport(Darwin)
  extension SystemCalls {
    /// Other processes can't be measured without privileges here.
    package func measure(_ arguments: [String]) -> ProcessCost? { nil }
    package func ownExecutable() -> String? { nil }
  }
#endif
