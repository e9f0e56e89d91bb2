/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014): numbers
/// that a seed repeats, on every machine.
package enum SplitMix64 {
  /// Returns the number that a generator with this seed gives at an index, the first at 1. Similar
  /// seeds and indexes give numbers that look unrelated.
  @inlinable
  package static func number(_ index: UInt64, seed: UInt64) -> UInt64 {
    var bits = seed &+ index &* 0x9e37_79b9_7f4a_7c15
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}
