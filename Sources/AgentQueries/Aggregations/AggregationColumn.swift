internal import AgentJSON

/// The states of one aggregation, a slot for each group and pane.
///
/// Rationale: each instance has closures for one kind of state. They are compiled for that kind and
/// change states in place. A generic class behind dynamic dispatch looks up types at run time,
/// which measured three times as slow. An enum copies its state for each change.
final class AggregationColumn {
  /// Whether the states have a fixed size. See ``Accumulator/isFixedSize``.
  let isFixedSize: Bool
  /// Reserves memory for the given number of slots.
  let grow: (Int) -> Void
  /// Adds the value of one row to a slot.
  let add: (StampedValue, Int) -> Void
  /// Adds everything in one slot to another.
  let merge: (Int, Int) -> Void
  /// Resets a slot.
  let reset: (Int) -> Void
  /// Returns the result over several slots.
  let result: ([Int]) -> AggregationResult
  /// Returns the approximate number of bytes in the states of slots.
  let bytes: ([Int]) -> Int

  private final class Store<State> {
    var states: [State] = []
  }

  /// - Parameters:
  ///   - memory: counts the size of the states.
  ///   - finish: returns the result of a state.
  init<State: Accumulator>(
    _ type: State.Type, _ memory: MemoryAccount, finish: @escaping (State) -> JSONValue
  ) {
    let store = Store<State>()
    isFixedSize = State.isFixedSize
    grow = { count in
      memory.add(max(0, count - store.states.count) * MemoryLayout<State>.stride)
      while store.states.count < count { store.states.append(State()) }
    }
    if State.holdsValues {
      add = { input, slot in
        let before = store.states[slot].bytes
        store.states[slot].add(input.value, at: input.stamp)
        memory.add(store.states[slot].bytes - before)
      }
      merge = { slot, other in
        let before = store.states[other].bytes
        store.states[other].merge(store.states[slot])
        memory.add(store.states[other].bytes - before)
      }
      reset = {
        memory.add(-store.states[$0].bytes)
        store.states[$0] = State()
      }
    } else {
      add = { store.states[$1].add($0.value, at: $0.stamp) }
      merge = { store.states[$1].merge(store.states[$0]) }
      reset = { store.states[$0] = State() }
    }
    result = { Self.result(of: $0.map { store.states[$0] }, finish) }
    bytes = { slots in
      slots.reduce(0) { $0 + MemoryLayout<State>.stride + store.states[$1].bytes }
    }
  }

  private static func result<State: Accumulator>(
    of states: [State], _ finish: (State) -> JSONValue
  ) -> AggregationResult {
    var whole = states.first ?? State()
    for state in states.dropFirst() { whole.merge(state) }
    return AggregationResult(finish(whole), isSketch: whole.isSketch)
  }
}

/// A value, and whether it is an estimate.
struct AggregationResult: Sendable {
  let value: JSONValue
  let isSketch: Bool

  init(_ value: JSONValue, isSketch: Bool = false) {
    self.value = value
    self.isSketch = isSketch
  }
}
