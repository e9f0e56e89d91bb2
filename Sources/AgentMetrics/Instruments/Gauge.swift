/// A value that goes up and down. Any thread may change it, without a lock.
public final class Gauge: Instrument {
  static var kind: MetricKind { .gauge }

  private let number = AtomicDouble()

  init(bounds: [Double]) {}

  /// Replaces the value.
  public func set(_ value: Double) { number.store(value) }

  /// Replaces the value by a whole number.
  public func set(_ value: Int) { number.store(Double(value)) }

  /// Adds `amount`, which may be negative.
  public func add(_ amount: Double) { number.add(amount) }

  /// The current value.
  public var current: Double { number.load() }

  var value: MetricValue { .number(current) }
}
