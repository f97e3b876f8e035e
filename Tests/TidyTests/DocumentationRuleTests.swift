import Testing

/// That the rule about comments finds what a client can name, and only that.
@Suite struct DocumentationRuleTests {
  private func lines(_ text: String) -> [Int] {
    Rules.documentation(SourceFile(path: "Sources/A/B.swift", text: text)).map(\.line)
  }

  @Test(arguments: [
    "public func a() {}", "public static var a: Int { 1 }", "@inlinable public init() {}", "public struct A {}", "open class A {}",
    "public final class A {}", "public class func a() {}", "public enum A {}", "public protocol A {}", "public actor A {}",
    "public typealias A = B", "nonisolated public func a() {}", "public private(set) var a = 1",
    "public subscript(a: Int) -> Int { 1 }",
    "@available(*, deprecated, message: \"a (b)\") public let a = 1", "public func equals(a: Int) {}", "public indirect enum A {}",
  ])
  func undocumented(_ declaration: String) {
    #expect(lines(declaration) == [1])
    #expect(lines("// Not for clients.\n" + declaration) == [2])
    #expect(lines("/// Above.\n\n" + declaration) == [3])
    #expect(lines("extension B {\n  \(declaration)\n}") == [2])
    #expect(lines("/// Above.\n" + declaration) == [])
    #expect(lines("/** Above. */\n@inlinable\n" + declaration) == [])
    #expect(lines("/// Above.\n@available(\n  *, deprecated,\n  message: \"a\"\n)\n@inlinable\n" + declaration) == [])
  }

  @Test(arguments: [
    "func a() {}", "package func a() {}", "public import MailboxLog", "// public func a()", "let a = \"public func a()\"",
    "public static func == (a: A, b: A) -> Bool { true }", "public static func < (a: A, b: A) -> Bool { true }",
    "public func hash(into hasher: inout Hasher) {}", "public override func a() {}", "private enum A {\n  case a\n}",
    "extension A {\n  func b() { switch self { case .a: break } }\n}",
  ])
  func needsNone(_ declaration: String) {
    #expect(lines(declaration) == [])
  }

  @Test func casesOfPublicEnums() {
    let text = """
      /// An error.
      public enum A: Error {
        case a(Int)
        /// Above.
        case b
        /// A name.
        public var name: String {
          switch self {
          case .a: "a"
          case .b: "b"
          }
        }
        case c
      }
      enum B {
        case d
      }
      """
    #expect(lines(text) == [3, 13])
  }

  @Test func requirementsOfPublicProtocols() {
    let text = """
      /// A target.
      public protocol A:
        Sendable
      {
        associatedtype B
        /// Above.
        func a()
        var c: Int { get }
      }
      """
    #expect(lines(text) == [5, 8])
  }
}
