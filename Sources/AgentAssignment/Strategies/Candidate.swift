/// A bot that could take a task with one of its capabilities. It holds only numbers, so that a
/// thousand candidates are compared within microseconds.
struct Candidate {
  let slot: Int32
  /// The index of the capability in the bot's definition.
  let position: Int32
  let boost: Int32
  let prefers: Bool
  let load: Int32
  let most: Int32
  let lastActive: Int64
  let turn: Int64

  @inline(__always)
  var total: Int32 { boost + (prefers ? Int32(clamping: Score.preferenceBonus) : 0) }

  /// Whether a smaller share of its slots is taken. The comparison avoids fractions: a/b < c/d
  /// where ad < cb.
  @inline(__always)
  func utilization(comparedTo other: Candidate) -> Int64 {
    Int64(load) &* Int64(other.most) &- Int64(other.load) &* Int64(most)
  }

  var score: Score {
    Score(
      boost: Int(boost), preference: prefers ? Score.preferenceBonus : 0, load: Int(load),
      most: Int(most), lastActive: lastActive, turn: turn)
  }
}
