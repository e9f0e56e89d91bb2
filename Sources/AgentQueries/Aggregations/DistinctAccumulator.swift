internal import AgentJSON

/// How many different values: exact up to ``limit``, from then on by a ``DistinctSketch``.
/// Null doesn't count.
struct DistinctAccumulator: Accumulator {
  static let isFixedSize = false
  /// Up to how many different values the count is exact.
  static let limit = 10_000

  private enum State: Sendable {
    case exact(Set<JSONValue>)
    case sketch(DistinctSketch)
  }

  private var state = State.exact([])

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    guard !value.isNull else { return }
    change {
      $0.insert(value)
    } sketched: {
      $0.add(value)
    }
  }

  mutating func merge(_ other: Self) {
    switch other.state {
    case .exact(let values):
      change {
        $0.formUnion(values)
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
    _ exact: (inout Set<JSONValue>) -> Void, sketched: (inout DistinctSketch) -> Void
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
    var sketch = DistinctSketch()
    values.forEach { sketch.add($0) }
    state = .sketch(sketch)
  }

  var result: JSONValue {
    switch state {
    case .exact(let values): JSONValue(values.count)
    case .sketch(let sketch): JSONValue(sketch.estimate)
    }
  }

  var isSketch: Bool { if case .sketch = state { true } else { false } }

  var bytes: Int {
    switch state {
    case .exact(let values): values.capacity * (MemoryLayout<JSONValue>.stride + 1)
    case .sketch: DistinctSketch.bytes
    }
  }
}
