internal import AgentJSON

/// The numbers among the values, for medians and percentiles: all of them up to ``limit``, from
/// then on a ``QuantileSketch``.
struct QuantileAccumulator: Accumulator {
  static let isFixedSize = false
  /// Up to how many values a quantile is exact.
  static let limit = 10_000

  private enum State: Sendable {
    case exact([Double])
    case sketch(QuantileSketch)
  }

  private var state = State.exact([])

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    guard case .number(let number) = value else { return }
    change {
      $0.append(number.double)
    } sketched: {
      $0.add(number.double)
    }
  }

  mutating func merge(_ other: Self) {
    switch other.state {
    case .exact(let values):
      change {
        $0 += values
      } sketched: { sketch in
        values.forEach { sketch.add($0) }
      }
    case .sketch(let sketch):
      becomeSketch()
      change { _ in
      } sketched: {
        $0.merge(sketch)
      }
    }
  }

  // The state is taken out while it changes: a second reference would copy all of it.
  private mutating func change(
    _ exact: (inout [Double]) -> Void, sketched: (inout QuantileSketch) -> Void
  ) {
    let old = state
    state = .exact([])
    switch consume old {
    case .exact(var values):
      exact(&values)
      state = .exact(values)
      if values.count > Self.limit { becomeSketch() }
    case .sketch(var sketch):
      sketched(&sketch)
      state = .sketch(sketch)
    }
  }

  private mutating func becomeSketch() {
    guard case .exact(let values) = state else { return }
    var sketch = QuantileSketch()
    values.forEach { sketch.add($0) }
    state = .sketch(sketch)
  }

  /// The value below which `share` (0…1) of the values lie, interpolated linearly between the two
  /// nearest ranks; null without numbers.
  func quantile(_ share: Double) -> JSONValue {
    switch state {
    case .exact(let values): Self.exact(values.sorted(), share).map { JSONValue($0) } ?? .null
    case .sketch(let sketch): sketch.quantile(share).map { JSONValue($0) } ?? .null
    }
  }

  private static func exact(_ sorted: [Double], _ share: Double) -> Double? {
    guard let last = sorted.last else { return nil }
    let rank = min(max(share, 0), 1) * Double(sorted.count - 1)
    let below = Int(rank)
    guard below + 1 < sorted.count else { return last }
    let part = rank - Double(below)
    // Weighed rather than the difference: that of two huge values could be infinite.
    return part == 0 ? sorted[below] : sorted[below] * (1 - part) + sorted[below + 1] * part
  }

  var isSketch: Bool { if case .sketch = state { true } else { false } }

  var bytes: Int {
    switch state {
    case .exact(let values): values.capacity * MemoryLayout<Double>.stride
    case .sketch(let sketch): sketch.bytes
    }
  }
}
