/// How much wasn't kept, by family.
struct DropCounts: Sendable {
  /// How many families are counted separately. Further ones are counted as `other`, so that this
  /// table can't grow without limit either.
  private static let most = 100

  private(set) var counts: [String: Int] = [:]

  mutating func add(_ count: Int, of family: String) {
    let known = counts[family] != nil || counts.count < Self.most
    counts[known ? String(family.prefix(200)) : "other", default: 0] += count
  }
}
