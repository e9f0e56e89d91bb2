internal import Synchronization

/// Identifies a metric. The kind is part of the key: the host, not this side, refuses two metrics
/// of one name and different kinds.
struct MetricKey: Hashable, Sendable {
  enum Kind: Sendable {
    case counter, gauge, histogram
  }

  let kind: Kind
  let name: String
  let labels: [String: String]
}

/// A counter's growth since the last report, or a gauge's value.
final class NumberInstrument: Sendable {
  private let bits = Atomic<UInt64>(0)
  private let isChanged = Atomic<Bool>(false)
  private let isGauge: Bool

  init(isGauge: Bool) { self.isGauge = isGauge }

  func set(_ value: Double) {
    bits.store(value.bitPattern, ordering: .releasing)
    isChanged.store(true, ordering: .releasing)
  }

  func add(_ amount: Double) {
    var old = bits.load(ordering: .relaxed)
    while true {
      let sum = (Double(bitPattern: old) + amount).bitPattern
      let (exchanged, original) = bits.weakCompareExchange(
        expected: old, desired: sum, ordering: .acquiringAndReleasing)
      if exchanged { break }
      old = original
    }
    isChanged.store(true, ordering: .releasing)
  }

  /// Returns what to report to the host; nil when nothing has changed.
  func take() -> Double? {
    guard isChanged.exchange(false, ordering: .acquiringAndReleasing) else { return nil }
    let taken =
      isGauge
      ? bits.load(ordering: .acquiring) : bits.exchange(0, ordering: .acquiringAndReleasing)
    let value = Double(bitPattern: taken)
    return value.isFinite && (isGauge || value > 0) ? value : nil
  }
}

/// The distribution of values since the last report.
final class HistogramInstrument: Sendable {
  struct Counts: Sendable {
    var counts: [Int]
    var sum = 0.0
  }

  let bounds: [Double]
  private let counts: Mutex<Counts>

  init(bounds: [Double]) {
    self.bounds = bounds
    counts = Mutex(Counts(counts: Array(repeating: 0, count: bounds.count + 1)))
  }

  func observe(_ value: Double) {
    let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
    counts.withLock { counts in
      counts.counts[bucket] += 1
      counts.sum += value
    }
  }

  /// Returns what to report to the host; nil when nothing was observed.
  func take() -> Counts? {
    counts.withLock { counts in
      guard counts.counts.contains(where: { $0 > 0 }) else { return nil }
      defer { counts = Counts(counts: Array(repeating: 0, count: bounds.count + 1)) }
      return counts.sum.isFinite ? counts : nil
    }
  }
}
