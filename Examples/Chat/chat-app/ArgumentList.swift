/// Arguments, taken one after another.
struct ArgumentList {
  private var rest: ArraySlice<String>

  init(_ arguments: [String]) { rest = arguments[...] }

  mutating func next() -> String? { rest.popFirst() }

  mutating func value(of option: String) throws(ChatError) -> String {
    guard let value = rest.popFirst() else { throw .usage("\(option) needs a value") }
    return value
  }

  mutating func count(of option: String) throws(ChatError) -> Int {
    guard let count = Int(try value(of: option)), count >= 0 else { throw .usage("\(option) needs a number") }
    return count
  }

  mutating func rate(of option: String) throws(ChatError) -> Double {
    guard let rate = Double(try value(of: option)), (0..<1).contains(rate) else {
      throw .usage("\(option) needs a number from 0 to below 1")
    }
    return rate
  }

  mutating func choice(of option: String, among names: [String]) throws(ChatError) -> String {
    let name = try value(of: option)
    guard names.contains(name) else { throw .usage("\(option) is \(names.joined(separator: " or "))") }
    return name
  }

  mutating func target(of option: String) throws(ChatError) -> MessageTarget {
    let name = try choice(of: option, among: MessageTarget.allCases.map(\.rawValue))
    return MessageTarget(rawValue: name) ?? .store
  }
}
