/// The first line of `/proc/stat`: how long all processors have done what, in ticks since boot.
/// See proc_stat(5); `guest` is part of `user` and not counted again.
struct CPUTimes: Equatable, Sendable {
  var user: UInt64 = 0
  var system: UInt64 = 0
  var idle: UInt64 = 0
  var waiting: UInt64 = 0
  var stolen: UInt64 = 0

  /// How many processors there are.
  var count = 0

  /// Reads the text of `/proc/stat`; `nil` when it has no `cpu` line.
  init?(_ text: String) {
    var found = false
    for line in text.lines where line.hasPrefix("cpu") {
      let words = line.words
      guard words[0] == "cpu" else {
        count += 1
        continue
      }
      let ticks = words.dropFirst().map { UInt64($0) ?? 0 }
      guard ticks.count >= 4 else { return nil }
      func at(_ index: Int) -> UInt64 { index < ticks.count ? ticks[index] : 0 }
      user = at(0) &+ at(1)
      system = at(2) &+ at(5) &+ at(6)
      idle = at(3)
      waiting = at(4)
      stolen = at(7)
      found = true
    }
    if !found { return nil }
  }

  /// All ticks.
  var total: UInt64 { user &+ system &+ idle &+ waiting &+ stolen }

  /// The shares of the time since an earlier reading, in percent.
  func usage(since earlier: CPUTimes) -> CPUUsage? {
    let total = total.since(earlier.total)
    guard total > 0 else { return nil }
    func percent(_ key: KeyPath<CPUTimes, UInt64>) -> Double {
      min(Double(self[keyPath: key].since(earlier[keyPath: key])) / Double(total) * 100, 100)
    }
    return CPUUsage(
      user: percent(\.user), system: percent(\.system), waiting: percent(\.waiting),
      stolen: percent(\.stolen))
  }
}

/// How the processors' time was spent, in percent of all processors.
struct CPUUsage: Equatable, Sendable {
  var user: Double
  var system: Double
  var waiting: Double
  var stolen: Double

  /// Neither idle nor waiting for a disk.
  var busy: Double { min(user + system + stolen, 100) }
}
