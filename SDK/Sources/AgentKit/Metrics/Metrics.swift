/// Metrics of a contribution for the people who run the agent: `/metrics`, `get_health` and
/// `get_diagnostics` show them under the name of the module and of the process.
///
/// ```swift
/// let orders = host.metrics.counter(
///   "orders_total", help: "Orders taken.", labels: ["kind": "web"])
/// orders.add()
/// ```
///
/// A change takes some 20 ns. Changes are sent to the host once a second, and at the end. Keep the
/// values that the functions return: looking a metric up again takes a lock. Names and labels
/// follow the rules of docs/module-services.md; the host refuses others, and the log says that
/// once. Use few labels with known values: never an order's number or an address.
public struct Metrics: Sendable {
  let recorder: MetricsRecorder

  /// A metric that only grows: how often something happened. It continues over restarts of the
  /// worker.
  /// - Parameter name: lower-case letters, digits and `_`, with `_total` at the end.
  public func counter(_ name: String, help: String? = nil, labels: [String: String] = [:])
    -> Counter
  {
    Counter(
      recorder: recorder,
      instrument: recorder.number(.counter, name: name, help: help, labels: labels))
  }

  /// A metric that rises and falls: how much there is of something. It is gone with its worker.
  public func gauge(_ name: String, help: String? = nil, labels: [String: String] = [:]) -> Gauge {
    Gauge(
      recorder: recorder,
      instrument: recorder.number(.gauge, name: name, help: help, labels: labels))
  }

  /// A distribution of values: how long something took, how large it was. It continues over
  /// restarts of the worker.
  /// - Parameters:
  ///   - name: ends in its unit by convention, such as `_seconds`.
  ///   - bounds: the upper bounds of the buckets, in ascending order.
  public func histogram(
    _ name: String, help: String? = nil, labels: [String: String] = [:],
    bounds: [Double] = Histogram.usualBounds
  ) -> Histogram {
    Histogram(
      recorder: recorder,
      instrument: recorder.histogram(name, help: help, labels: labels, bounds: bounds))
  }

  /// Sends pending changes now instead of within a second.
  public func flush() { recorder.flush() }
}

extension Metrics {
  /// A metric that only grows. Any thread.
  public struct Counter: Sendable {
    let recorder: MetricsRecorder
    let instrument: NumberInstrument

    /// Adds an amount. Ignores a negative amount, or one that is no number.
    public func add(_ amount: Double = 1) {
      guard amount > 0, amount.isFinite else { return }
      instrument.add(amount)
      recorder.changed()
    }
  }

  /// A metric that rises and falls. Any thread.
  public struct Gauge: Sendable {
    let recorder: MetricsRecorder
    let instrument: NumberInstrument

    /// Sets the value. Ignores a value that is no number.
    public func set(_ value: Double) {
      guard value.isFinite else { return }
      instrument.set(value)
      recorder.changed()
    }

    /// Sets the value.
    public func set(_ value: Int) { set(Double(value)) }

    /// Adds an amount, which may be negative. The value begins with 0.
    public func add(_ amount: Double = 1) {
      guard amount.isFinite else { return }
      instrument.add(amount)
      recorder.changed()
    }
  }

  /// A distribution of values. Any thread.
  public struct Histogram: Sendable {
    /// Bounds for seconds, from 5 ms to 10 s: those of Prometheus' own clients.
    public static let usualBounds = [
      0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    let recorder: MetricsRecorder
    let instrument: HistogramInstrument

    /// Counts a value. Ignores a value that is no number.
    public func observe(_ value: Double) {
      guard value.isFinite else { return }
      instrument.observe(value)
      recorder.changed()
    }

    /// Counts a duration, in seconds.
    public func observe(_ duration: Duration) {
      let (seconds, attoseconds) = duration.components
      observe(Double(seconds) + Double(attoseconds) / 1e18)
    }
  }
}
