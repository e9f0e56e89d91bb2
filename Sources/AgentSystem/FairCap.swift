/// Divides a limit fairly: small sizes keep what they have, and the largest are cut to one size.
package enum FairCap {
  /// The size that none may exceed, so that all together fit the limit.
  ///
  /// Rationale: the smallest take what they need, and the others share the rest. A type with few
  /// events loses nothing to one that floods the log.
  /// - Returns: nil where all fit as they are.
  package static func of(_ sizes: [Int64], total limit: Int64) -> Int64? {
    var (left, count) = (max(0, limit), Int64(sizes.count))
    for size in sizes.sorted() {
      let share = left / count
      if size > share { return share }
      (left, count) = (left.subtracting(max(0, size)), count.subtracting(1))
    }
    return nil
  }
}
