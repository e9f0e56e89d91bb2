import AgentJSON

extension FastProgram {
  /// Whether `node` fits. Nil where only `Evaluation` can tell: it may give the check up as too
  /// deep, or needs the answers that it remembers.
  func verdict(_ node: JSONNode) -> Bool? {
    node.withTape { tape in
      guard isShallow(tape) else { return nil }
      var rare = FastRun.Rare(program: self, node: node)
      return withUnsafeMutablePointer(to: &rare) { rare in
        guard var state = FastRun.State(memory: memory, tape: tape, rare: rare) else { return nil }
        return withUnsafeMutablePointer(to: &state) { state in
          let fits = FastRun(state: state).fits(0, tape.index)
          if state.pointee.remainingSteps > 0 { return fits }
          // A check that a pattern gave up is a failure, also where a `not` would turn the answer
          // round. Where the steps ran out `Evaluation` may finish, because it remembers answers.
          return state.pointee.isGivenUp ? false : nil
        }
      }
    }
  }

  /// Whether no value is so deep that `Evaluation` could reach its limit.
  private func isShallow(_ tape: JSONTape) -> Bool {
    // Most documents were parsed with a limit below this, and their depth needn't be looked at.
    tape.depthLimit <= deepest || tape.depth(atMost: deepest) != nil
  }
}

extension JSONTape {
  /// How many containers are inside one another; nil if there are more than `limit`.
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
