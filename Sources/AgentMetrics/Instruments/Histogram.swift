/// Counts values by ranges. Observing takes about ten nanoseconds, from any thread, without a lock.
public final class Histogram: Instrument {
  static var kind: MetricKind { .histogram }

  /// Upper bounds for durations in seconds. They cover the span from internal steps of the host,
  /// 0.1 ms, to the longest wait of a person, 30 s.
  public static let seconds: [Double] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    30,
  ]
  /// Upper bounds for numbers of items that are processed at once.
  public static let amounts: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

  private let bounds: [Double]
  private let counts: AtomicCounts
  private let sum = AtomicDouble()

  init(bounds: [Double]) {
    self.bounds = bounds
    counts = AtomicCounts(bounds.count + 1)
  }

  /// Counts `value`. NaN is ignored.
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

  /// The counts at this moment. They are read one after the other, so a value that is observed
  /// meanwhile may be in the counts but not in the sum, or the other way round.
  public var snapshot: HistogramSnapshot {
    HistogramSnapshot(
      bounds: bounds, counts: (0...bounds.count).map { counts[$0] }, sum: sum.load())
  }

  var value: MetricValue { .histogram(snapshot) }
}
