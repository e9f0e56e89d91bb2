/// Random numbers that a seed repeats, on every machine: SplitMix64 (Steele, Lea, Flood: "Fast
/// splittable pseudorandom number generators", 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to `limit` - 1.
  public mutating func below(_ limit: Int) -> Int {
    limit > 0 ? Int.random(in: 0..<limit, using: &self) : 0
  }

  /// True in `percentage` of a hundred cases.
  public mutating func percent(_ percentage: Int) -> Bool { below(100) < percentage }

  public mutating func pick<T>(_ values: [T], else other: T) -> T {
    values.isEmpty ? other : values[below(values.count)]
  }
}
