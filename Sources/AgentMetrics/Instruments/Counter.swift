import Synchronization

/// A sum that only grows. Adding takes a few nanoseconds, from any thread, without a lock.
public final class Counter: Instrument {
  static var kind: MetricKind { .counter }

  // Whole amounts have a counter of their own, because adding an integer needs no retry. Sums of
  // both are read together.
  private let whole = Atomic<Int>(0)
  private let rest = AtomicDouble()

  init(bounds: [Double]) {}

  /// Adds `amount`. Negative amounts are ignored.
  public func increment(by amount: Int = 1) {
    guard amount > 0 else { return }
    whole.wrappingAdd(amount, ordering: .relaxed)
  }

  /// Adds an amount that may have a fraction, such as seconds. Negative amounts, infinity and NaN
  /// are ignored.
  public func add(_ amount: Double) {
    guard amount > 0, amount.isFinite else { return }
    rest.add(amount)
  }

  /// Sets the sum to 0. Prometheus treats a sum that shrinks as a restart of the program.
  public func reset() {
    whole.store(0, ordering: .relaxed)
    rest.store(0)
  }

  /// The sum of all amounts since the start or the last reset.
  public var total: Double { Double(whole.load(ordering: .relaxed)) + rest.load() }

  var value: MetricValue { .number(total) }
}
