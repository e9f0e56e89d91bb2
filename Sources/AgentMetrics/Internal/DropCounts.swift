/// How much wasn't kept, by family.
struct DropCounts: Sendable {
  /// Beyond so many families all others are one, so that what was refused can't grow either.
  private static let most = 100

  private(set) var counts: [String: Int] = [:]

  mutating func add(_ count: Int, of family: String) {
    let known = counts[family] != nil || counts.count < Self.most
    counts[known ? String(family.prefix(200)) : "other", default: 0] += count
  }
}
