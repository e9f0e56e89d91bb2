/// What `/proc/meminfo` says, in bytes.
struct Memory: Equatable, Sendable {
  var total: UInt64
  var available: UInt64
  var swapTotal: UInt64
  var swapFree: UInt64

  /// Reads the text of `/proc/meminfo`, whose values are in KiB.
  init?(_ text: String) {
    var values: [Substring: UInt64] = [:]
    for line in text.lines {
      let words = line.words
      guard words.count >= 2, let value = UInt64(words[1]) else { continue }
      values[words[0].dropLast()] = value &* 1024
    }
    // Kernels before 3.14 don't say what is available; what is free is the next best.
    guard let total = values["MemTotal"], total > 0,
      let available = values["MemAvailable"] ?? values["MemFree"]
    else { return nil }
    self.total = total
    self.available = min(available, total)
    self.swapTotal = values["SwapTotal"] ?? 0
    self.swapFree = min(values["SwapFree"] ?? 0, swapTotal)
  }

  var used: UInt64 { total - available }
  var swapUsed: UInt64 { swapTotal - swapFree }
}

/// What `/proc/loadavg` says: how many tasks ran or waited, over one, five and fifteen minutes.
struct Load: Equatable, Sendable {
  var one: Double
  var five: Double
  var fifteen: Double

  /// Reads the text of `/proc/loadavg`.
  init?(_ text: String) {
    let values = text.words.prefix(3).compactMap { Double($0) }
    guard values.count == 3 else { return nil }
    one = values[0]
    five = values[1]
    fifteen = values[2]
  }
}
