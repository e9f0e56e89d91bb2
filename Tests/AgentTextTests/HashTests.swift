import AgentText
import Testing

@Suite struct HashTests {
  /// http://www.isthe.com/chongo/src/fnv/test_fnv.c
  @Test(arguments: [
    ("", 0xcbf2_9ce4_8422_2325 as UInt64), ("a", 0xaf63_dc4c_8601_ec8c),
    ("foobar", 0x8594_4171_f739_67e8),
  ])
  func `FNV-1a gives the hashes of its authors`(text: String, hash: UInt64) {
    #expect(FNV1a.hash(of: text.utf8) == hash)
  }

  @Test func `a hash continues after one of the bytes before`() {
    let start = FNV1a.hash(of: "foo".utf8)
    #expect(FNV1a.hash(of: "bar".utf8, after: start) == FNV1a.hash(of: "foobar".utf8))
  }

  /// https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
  @Test func `SplitMix64 gives its published numbers`() {
    let numbers: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    let found = (1...5).map { (index: UInt64) in SplitMix64.number(index, seed: 1_234_567) }
    #expect(found == numbers)
  }
}
