import RawMemory

/// What trees are read from: a snapshot, or a transaction that also sees its own pages.
package class PageSource {
  /// The body of a page, checked when it was first touched.
  ///
  /// - Throws: `corrupted`, `snapshotLost`, a system call's failure.
  func page(_ number: PageNumber, birth: TransactionID) throws(EngineError) -> ByteView { throw .closed }

  /// Asks for the beginning of a page that will be read soon, if that takes neither a system call nor a check.
  func prefetch(_ number: PageNumber, birth: TransactionID) {}

  /// A run of pages that holds a long value.
  func longValue(_ reference: LongReference) throws(EngineError) -> ByteView { throw .closed }

  /// How many pages there are: no walk in one direction comes to more leaves.
  var pageLimit: Int { .max }

  /// Throws when reading makes no sense any more.
  func checkUsable() throws(EngineError) {}
}
