import FoundationEssentials
import RawMemory
import TestSupport
import Testing

@testable import ObjectStorage

@Suite struct CollectionTests {
  @Test func aListIsAnArray() {
    var random = SplitMix64(seed: 31)
    var list = PersistedList<Int>()
    var array: [Int] = []
    for _ in 0..<500 {
      let value: Int = random.integer()
      switch random.next() % 4 {
      case 0:
        list.append(value)
        array.append(value)
      case 1 where !array.isEmpty:
        let index = Int(random.next() % UInt64(array.count))
        list.remove(at: index)
        array.remove(at: index)
      case 2 where !array.isEmpty:
        let index = Int(random.next() % UInt64(array.count))
        list[index] = value
        array[index] = value
      default:
        let index = Int(random.next() % UInt64(array.count + 1))
        list.insert(value, at: index)
        array.insert(value, at: index)
      }
      #expect(Array(list) == array)
    }
  }

  @Test func aSetHoldsEachElementOnce() {
    var set: MutableSet<String> = ["b", "a", "b"]
    #expect(Array(set) == ["a", "b"])
    #expect(set.insert("c") && !set.insert("a"))
    #expect(set.insert("e\u{301}") && !set.insert("\u{E9}"))
    #expect(set.contains("\u{E9}") && set.remove("\u{E9}") && !set.contains("e\u{301}"))
    #expect(set.remove("a") && !set.remove("a"))
    var address = Address()
    address.street = "x"
    var addresses: MutableSet<Address> = [address, Address(), address]
    #expect(addresses.count == 2 && addresses.contains(address))
    #expect(addresses.remove(address) && addresses.count == 1)
    #expect(MutableSet<Double>([0, -0.0, .nan, .nan]).count == 2)
    #expect(MutableSet<Int?>([nil, 1, nil]).count == 2)
  }

  @Test func aMapIsOrderedByItsKeys() {
    var map: Map<String, Int> = ["b": 1, "a": 2, "b": 3]
    #expect(map.keys == ["a", "b"] && map.values == [2, 3])
    map["c"] = 4
    map["a"] = nil
    #expect(map.removeValue(forKey: "x") == nil && map.removeValue(forKey: "b") == 3)
    #expect(map.count == 1 && map[0].key == "c" && map["c"] == 4)
    map["e\u{301}"] = 1
    map["\u{E9}"] = 2
    #expect(map.count == 2 && map["e\u{301}"] == 2)
  }

  @Test func embeddedStructsKeepWhatTheModelDoesntList() throws {
    let full = try RowBench(Owner.self)
    let part = try RowBench(OwnerInBrief.self, schema: full.schema)
    var owner = Owner()
    owner.home.street = "S"
    owner.home.number = 5
    owner.others = [owner.home, Address()]
    let row = try full.bytes(owner)
    var brief = try part.read(row)
    #expect(brief.home.street == "S")
    brief.home.street = "T"
    brief.others[1].street = "U"
    let read = try full.read(try part.patched(row, with: brief))
    #expect(read.home.street == "T" && read.home.number == 5)
    #expect(read.others.map(\.street) == ["S", "U"] && read.others[0].number == 5)
  }

  @Test func aValueReadFromOneStoreIsWrittenToAnother() throws {
    let one = try RowBench(Owner.self)
    let other = try RowBench(
      Owner.self, schema: try one.schema.droppingColumn("home").merged(with: try ModelDescription.of(Owner.self)).schema)
    var owner = Owner()
    owner.home.number = 3
    owner.others = [owner.home]
    let read = try other.read(try other.bytes(try one.roundTrip(owner)))
    #expect(read.home.number == 3 && read.others == owner.others)
  }
}

private struct Owner: StorageObject {
  @Persisted var home = Address()
  @Persisted var others: List<Address> = []
}
private struct AddressInBrief: EmbeddedObject { @Persisted var street = "" }
private struct OwnerInBrief: StorageObject {
  static let storageName = "Owner"
  @Persisted var others: List<AddressInBrief> = []
  @Persisted var home: AddressInBrief
}
