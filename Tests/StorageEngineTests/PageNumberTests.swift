import StorageEngine
import Testing
@Test func pageNumbersHave32Bits() { #expect(PageNumber.bitWidth == 32) }
