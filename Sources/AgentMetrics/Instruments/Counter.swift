import Synchronization

/// A sum that only grows. Adding takes a few nanoseconds, from any thread, without a lock.
public final class Counter: Instrument {
  static var kind: MetricKind { .counter }

  private let whole = Atomic<Int>(0)
  private let rest = AtomicDouble()

  init(bounds: [Double]) {}

  /// Adds `amount`; what is negative is left out.
  public func increment(by amount: Int = 1) {
    guard amount > 0 else { return }
    whole.wrappingAdd(amount, ordering: .relaxed)
  }

  /// Adds what isn't a whole number, such as seconds; what is negative or no number is left out.
  public func add(_ amount: Double) {
    guard amount > 0, amount.isFinite else { return }
    rest.add(amount)
  }

  /// Begins at 0 again, which whoever reads it takes for a new start of the program.
  public func reset() {
    whole.store(0, ordering: .relaxed)
    rest.store(0)
  }

  /// The sum so far.
  public var total: Double { Double(whole.load(ordering: .relaxed)) + rest.load() }

  var value: MetricValue { .number(total) }
}
