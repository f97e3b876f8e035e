/// How a query is run: printed by `description`, one step a line.
public struct QueryPlan: Sendable, CustomStringConvertible {
  /// The index that is walked, as `Type.property+property`; nil for the rows themselves, by their key.
  public internal(set) var indexName: String?
  /// The conditions that the keys walked are chosen by; nil when all are.
  public internal(set) var range: String?
  /// Conditions checked row by row.
  public internal(set) var filters: [String] = []
  /// Whether rows come in the order asked for, so that nothing is sorted.
  public internal(set) var isSortedByIndex = false
  /// How many rows were looked at.
  public internal(set) var examinedRowCount = 0
  /// How many rows the query gives.
  public internal(set) var returnedRowCount = 0

  /// What is done with the rows behind that, a line each.
  var steps: [String] = []
  /// The type's name.
  var typeName = ""
  var isBackward = false
  var isEmpty = false

  /// The steps, one a line.
  public var description: String {
    var lines: [String] = []
    let direction = isBackward ? ", backwards" : ""
    if isEmpty {
      lines.append("nothing can match")
    } else if let indexName {
      lines.append("index \(indexName): \(range ?? "all")\(direction)")
    } else if let range {
      lines.append("key of \(typeName): \(range)\(direction)")
    } else {
      lines.append("all rows of \(typeName)\(direction)")
    }
    lines += filters.map { "filter \($0)" }
    lines += steps
    lines.append("examined \(examinedRowCount), returned \(returnedRowCount)")
    return lines.joined(separator: "\n")
  }
}
