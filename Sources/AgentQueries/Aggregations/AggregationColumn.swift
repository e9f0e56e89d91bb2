internal import AgentJSON

/// One aggregation's states, a slot for each group and pane.
///
/// Rationale: closures made for one kind of state each, in a class of their own, are compiled for
/// that kind and change states in place. A generic class reached by dynamic dispatch isn't (its
/// methods look types up while they run: measured, three times as slow), and states in an enum
/// are copied for each change.
final class AggregationColumn {
  /// Whether the states are of one size; see ``Accumulator/isFixedSize``.
  let isFixedSize: Bool
  /// Reserves memory for the given number of slots.
  let grow: (Int) -> Void
  /// Takes the value of one row into a slot.
  let add: (JSONValue, RowStamp, Int) -> Void
  /// Takes all that one slot has seen into another.
  let merge: (Int, Int) -> Void
  /// Forgets what a slot has seen.
  let reset: (Int) -> Void
  /// The result over several slots.
  let result: ([Int]) -> AggregationResult
  /// About how many bytes the states of slots occupy.
  let bytes: ([Int]) -> Int

  private final class Store<State> {
    var states: [State] = []
  }

  /// - Parameters:
  ///   - memory: what the states hold is counted there.
  ///   - finish: the result of a state.
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
      add = { value, stamp, slot in
        let before = store.states[slot].bytes
        store.states[slot].add(value, at: stamp)
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
      add = { store.states[$2].add($0, at: $1) }
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
