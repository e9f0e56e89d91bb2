import AgentJSON

extension FastProgram {
  /// Returns whether `node` matches, or `nil` if only `Evaluation` can decide. It may end the check
  /// as too deep, or need its stored results.
  func verdict(_ node: JSONNode) -> Bool? {
    node.withTape { tape in
      guard isShallow(tape) else { return nil }
      var rare = FastRun.Rare(program: self, node: node)
      return withUnsafeMutablePointer(to: &rare) { rare in
        guard var state = FastRun.State(memory: memory, tape: tape, rare: rare) else { return nil }
        return withUnsafeMutablePointer(to: &state) { state in
          let fits = FastRun(state: state).fits(0, tape.index)
          if state.pointee.remainingSteps > 0 { return fits }
          // A pattern that took too many steps is a failure, also where a `not` would negate the
          // result. If only the steps ran out, `Evaluation` may still finish, because it stores
          // results.
          return state.pointee.isGivenUp ? false : nil
        }
      }
    }
  }

  /// Returns whether no value is deep enough for `Evaluation` to reach its limit.
  private func isShallow(_ tape: JSONTape) -> Bool {
    // Most documents were parsed with a smaller limit, so their depth need not be computed.
    tape.depthLimit <= deepest || tape.depth(atMost: deepest) != nil
  }
}

extension JSONTape {
  /// Returns the depth of nested containers, or `nil` if it exceeds `limit`.
  fileprivate func depth(atMost limit: Int) -> Int? {
    var ends: [UInt32] = []
    var deepest = 0
    for place in index..<Int(records[index].next) {
      while let end = ends.last, end <= place { ends.removeLast() }
      guard records[place].kind == .array || records[place].kind == .object else { continue }
      ends.append(records[place].next)
      deepest = max(deepest, ends.count)
      if deepest > limit { return nil }
    }
    return deepest
  }
}
