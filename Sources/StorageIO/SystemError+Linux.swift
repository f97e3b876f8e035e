#if os(Linux)
  extension SystemError {
    /// Whether a locked device keeps the file from being read: there is no such thing here.
    @inline(__always) package var isProtectedData: Bool { false }
  }
#endif
