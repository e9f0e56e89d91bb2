/// Figures of what a contribution does, for the people who run the agent: `/metrics`, `get_health`
/// and `get_diagnostics` show them under the name of the module and of the process.
///
/// ```swift
/// let orders = host.metrics.counter("orders_total", help: "Orders taken.", labels: ["kind": "web"])
/// orders.add()
/// ```
/// A change takes some 20 ns: what has come together is handed to the host once a second, and
/// at the end. Keep what the functions return; to look a figure up again takes a lock. Names and
/// labels follow the rules of docs/module-services.md; what breaks them is refused by the host, which
/// the log says once. Labels are few and their values known: never an order's number or an address.
public struct Metrics: Sendable {
  let recorder: MetricsRecorder

  /// A figure that only grows: how often something happened. It goes on over restarts of the worker.
  /// - Parameter name: lower-case letters, digits and `_`, and `_total` at the end.
  public func counter(_ name: String, help: String? = nil, labels: [String: String] = [:])
    -> Counter
  {
    Counter(recorder: recorder, figure: recorder.number(.counter, name, help, labels))
  }

  /// A figure that rises and falls: how much there is of something. It is gone with its worker.
  public func gauge(_ name: String, help: String? = nil, labels: [String: String] = [:]) -> Gauge {
    Gauge(recorder: recorder, figure: recorder.number(.gauge, name, help, labels))
  }

  /// How values are spread: how long something took, how large it was. It goes on over restarts of
  /// the worker.
  /// - Parameters:
  ///   - name: ends in its unit by custom, such as `_seconds`.
  ///   - bounds: the upper bounds of the buckets, rising.
  public func histogram(
    _ name: String, help: String? = nil, labels: [String: String] = [:],
    bounds: [Double] = Histogram.usualBounds
  ) -> Histogram {
    Histogram(recorder: recorder, figure: recorder.histogram(name, help, labels, bounds))
  }

  /// Hands over at once what has come together, instead of within a second.
  public func flush() { recorder.flush() }
}

extension Metrics {
  /// A figure that only grows. Any thread.
  public struct Counter: Sendable {
    let recorder: MetricsRecorder
    let figure: NumberFigure

    /// Adds to it. A negative amount, or one that is no number, is ignored.
    public func add(_ amount: Double = 1) {
      guard amount > 0, amount.isFinite else { return }
      figure.add(amount)
      recorder.changed()
    }
  }

  /// A figure that rises and falls. Any thread.
  public struct Gauge: Sendable {
    let recorder: MetricsRecorder
    let figure: NumberFigure

    /// Sets the value. Ignores a value that is no number.
    public func set(_ value: Double) {
      guard value.isFinite else { return }
      figure.set(value)
      recorder.changed()
    }

    /// Sets it.
    public func set(_ value: Int) { set(Double(value)) }

    /// Adds to it, or takes from it; it begins with 0.
    public func add(_ amount: Double = 1) {
      guard amount.isFinite else { return }
      figure.add(amount)
      recorder.changed()
    }
  }

  /// How values are spread. Any thread.
  public struct Histogram: Sendable {
    /// From 5 ms to 10 s, as Prometheus' own clients have them; for seconds.
    public static let usualBounds = [
      0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    let recorder: MetricsRecorder
    let figure: HistogramFigure

    /// Counts a value. Ignores a value that is no number.
    public func observe(_ value: Double) {
      guard value.isFinite else { return }
      figure.observe(value)
      recorder.changed()
    }

    /// Counts a duration, in seconds.
    public func observe(_ duration: Duration) {
      let (seconds, attoseconds) = duration.components
      observe(Double(seconds) + Double(attoseconds) / 1e18)
    }
  }
}
