/// Why a row can't be read or made.
package enum RowError: Error, Sendable, Equatable {
  /// The bytes don't fit what the schema says of them.
  case damaged(reason: StaticReason)
  /// A value is longer than a row can hold.
  case valueTooLarge(property: String, byteCount: Int)

  /// A value and its row have less than this many bytes: ends of variable columns are 32 bits, and the engine's limit is 1 GiB.
  package static let byteCountMax = 1 << 30

  /// What doesn't fit.
  package enum StaticReason: String, Sendable {
    case tooShort = "the bytes end too early"
    case unknownLayout = "a row of a layout that the schema doesn't have"
    case offsets = "the ends of its columns don't fit its bytes"
    case count = "a count doesn't fit its bytes"
    case value = "a value that its type doesn't have"
    case schema = "a schema that contradicts itself"
    case newerFormat = "a schema in a form that this build doesn't know"
  }
}
