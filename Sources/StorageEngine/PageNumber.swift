/// Which page of a file, counted from 0; the first ones hold the meta pages. 0 is no page of a tree.
package typealias PageNumber = UInt32

/// The number of a write transaction, never used twice in the life of a file.
package typealias TransactionID = UInt64
