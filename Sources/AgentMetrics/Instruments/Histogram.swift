/// How often values fell into each of some ranges. Observing takes some ten nanoseconds, from any
/// thread, without a lock.
public final class Histogram: Instrument {
  static var kind: MetricKind { .histogram }

  /// Upper bounds for durations in seconds: from what the host does within itself to what a person
  /// waits for.
  public static let seconds: [Double] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    30,
  ]
  /// Upper bounds for how many things were done at once.
  public static let amounts: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

  private let bounds: [Double]
  private let counts: AtomicCounts
  private let sum = AtomicDouble()

  init(bounds: [Double]) {
    self.bounds = bounds
    counts = AtomicCounts(bounds.count + 1)
  }

  /// Counts `value`; what is no number is left out.
  public func observe(_ value: Double) {
    guard !value.isNaN else { return }
    counts.increment(at: bounds.firstIndex { value <= $0 } ?? bounds.count)
    sum.add(value)
  }

  /// Counts a duration, in seconds.
  public func observe(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    observe(Double(seconds) + Double(attoseconds) * 1e-18)
  }

  /// The values counted until now.
  public var snapshot: HistogramSnapshot {
    HistogramSnapshot(
      bounds: bounds, counts: (0...bounds.count).map { counts[$0] }, sum: sum.load())
  }

  var value: MetricValue { .histogram(snapshot) }
}
