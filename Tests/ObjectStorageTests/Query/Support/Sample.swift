import Foundation
import TestSupport

@testable import ObjectStorage

enum SampleStatus: String, PersistableEnum { case draft, sent, read }

struct SamplePlace: EmbeddedObject, Equatable {
  @Persisted var street = ""
  @Persisted var number: Int? = nil
  @Persisted var tags: MutableSet<String> = []

  static func == (a: Self, b: Self) -> Bool { a.street == b.street }
}

/// A property of every kind, most of them in an index.
struct Sample: IdentifiableStorage {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var flag = false
  @Persisted(indexed: true) var age = 0
  @Persisted var small: Int8 = 0
  @Persisted var big: UInt64 = 0
  @Persisted(indexed: true) var score: Double? = nil
  @Persisted var ratio: Float = 0
  @Persisted(indexed: true) var price: Decimal = 0
  @Persisted var name = ""
  @Persisted(indexed: true) var nickname: String? = nil
  @Persisted var moment = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted var token: UUID? = nil
  @Persisted var blob = Data()
  @Persisted var status: SampleStatus = .draft
  @Persisted var address = SamplePlace()
  @Persisted var oldAddress: SamplePlace? = nil
  @Persisted var places: PersistedList<SamplePlace> = []
  @Persisted var scores: PersistedList<Int> = []
  @Persisted var tags: Set<String> = []
  @Persisted var optionals: PersistedList<Double?> = []
  @Persisted var attributes: PersistedMap<String, Int> = [:]

  static let indexes: [StorageIndex<Sample>] = [
    .index(\.name, \.age), .index(\.flag, \.score), .index(\.status, \.moment, \.id), .index(\.flag, \.status, \.small),
  ]
}

extension Sample {
  static let texts = ["", "a", "ab", "Ab", "é", "e\u{301}", "Éj", "Москва", "москва", "straße", "STRASSE", "a\0b", "b", "日本"]
  static let doubles: [Double] = [0, -0.0, 1, -3, -1.5, 2.5, .infinity, -.infinity, .nan, .leastNonzeroMagnitude]
  static let decimals: [Decimal] = [0, 1, -1, Decimal(string: "1159336.05")!, Decimal(string: "-0.1")!, Decimal(string: "1e-20")!]
  static let integers = [Int.min, -256, -1, 0, 1, 2, 3, 255, 256, Int.max]
  static let tokens = (0..<3).map { UUID(uuid: (UInt8($0) * 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)) }

  static func random(_ id: Int, _ random: inout SplitMix64) -> Sample {
    var sample = Sample()
    sample.id = id
    sample.flag = Bool.random(using: &random)
    sample.age = integers.randomElement(using: &random)!
    sample.small = Int8.random(in: -3...3, using: &random)
    sample.big = [0, 1, 5, UInt64.max].randomElement(using: &random)!
    sample.score = Bool.random(using: &random) ? doubles.randomElement(using: &random)! : nil
    sample.ratio = Float(doubles.randomElement(using: &random)!)
    sample.price = decimals.randomElement(using: &random)!
    sample.name = texts.randomElement(using: &random)!
    sample.nickname = Bool.random(using: &random) ? texts.randomElement(using: &random)! : nil
    sample.moment = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -2...2, using: &random)) / 2)
    sample.token = Bool.random(using: &random) ? tokens.randomElement(using: &random)! : nil
    sample.blob = Data([[], [0], [1, 2], [0xFF]].randomElement(using: &random)!)
    sample.status = SampleStatus.allCases.randomElement(using: &random)!
    sample.address = place(&random)
    sample.oldAddress = Bool.random(using: &random) ? place(&random) : nil
    sample.places = PersistedList((0..<Int.random(in: 0...2, using: &random)).map { _ in place(&random) })
    sample.scores = PersistedList((0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: -3...3, using: &random) })
    sample.tags = Set((0..<Int.random(in: 0...2, using: &random)).map { _ in texts.randomElement(using: &random)! })
    sample.optionals = PersistedList(
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        Bool.random(using: &random) ? doubles.randomElement(using: &random)! : nil
      })
    for key in ["colour", "é"] where Bool.random(using: &random) { sample.attributes[key] = Int.random(in: 0...3, using: &random) }
    return sample
  }

  private static func place(_ random: inout SplitMix64) -> SamplePlace {
    var place = SamplePlace()
    place.street = texts.randomElement(using: &random)!
    place.number = Bool.random(using: &random) ? Int.random(in: 0...3, using: &random) : nil
    if Bool.random(using: &random) { place.tags = ["a", "é"] }
    return place
  }
}
