extension StoreStatistics {
  /// Adds a group to the statistics. Called on the writer's thread, under the lock of
  /// ``SQLiteShared``.
  mutating func add(_ outcome: SQLiteGroup.Outcome, _ duration: UInt64, logPages: Int) {
    failures += outcome.failed.count
    self.logPages = logPages
    // Commits, their sizes and their durations count only durable transactions.
    guard outcome.failure == nil else { return }
    commits += 1
    writes += outcome.count
    lastGroup = outcome.count
    largestGroup = max(largestGroup, outcome.count)
    lastDuration = duration
    longestDuration = max(longestDuration, duration)
    totalDuration += duration
    durations.add(Double(duration) / 1e9)
    groups.add(Double(outcome.count))
  }
}
