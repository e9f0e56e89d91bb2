import AgentJSON

extension FastLowering {
  mutating func addCombination(
    _ keyword: SchemaKeyword, kind: FastKind, to steps: inout [FastInstruction]
  ) -> Bool {
    switch keyword {
    case .reference(let node): return include(body(of: node, kind), &steps)
    case .dynamicReference(let node, let anchor):
      // The target is determined here and not during a check, because a unit represents one path to
      // the schema.
      let target = units.target(of: anchor, from: unit) ?? node
      return include(body(of: target, kind), &steps)
    case .allOf(let nodes):
      return nodes.allSatisfy { include(body(of: $0, kind), &steps) }
    case .anyOf(let nodes): return addAny(nodes, kind: kind, to: &steps)
    case .oneOf(let nodes): return addOne(nodes, kind: kind, to: &steps)
    case .not(let node):
      // A `not` evaluates nothing: it only holds if its schema doesn't match.
      let unit = units.index(of: node, from: unit, tracks: false)
      return addNone([parts.entries[unit << 4 | kind.tag]], &steps)
    case .conditional(let rule): return addConditional(rule, kind: kind, to: &steps)
    case .dependentRequired(let rules):
      if kind == .object { addDependents(rules, &steps) }
    case .dependentSchemas(let rules):
      if kind == .object { addDependents(rules, &steps) }
    default: giveUp()
    }
    return true
  }

  private mutating func addAny(
    _ nodes: [Int], kind: FastKind, to steps: inout [FastInstruction]
  ) -> Bool {
    // One branch that accepts the kind decides. If marks are needed, every matching branch counts
    // and must run.
    let hasCertain = nodes.contains { body(of: $0, kind) == .acceptBody }
    if hasCertain, !marks(kind) { return true }
    let left = nodes.filter { body(of: $0, kind) != .rejectBody }
    if left.isEmpty { return false }
    return addBranches(left, kind: kind, isExclusive: false, to: &steps)
  }

  private mutating func addOne(
    _ nodes: [Int], kind: FastKind, to steps: inout [FastInstruction]
  ) -> Bool {
    if marks(kind) {
      let left = nodes.filter { body(of: $0, kind) != .rejectBody }
      return !left.isEmpty && addBranches(left, kind: kind, isExclusive: true, to: &steps)
    }
    // Branches that accept the kind are counted now, so that only the others run.
    let certain = nodes.count { body(of: $0, kind) == .acceptBody }
    let left = nodes.filter { body(of: $0, kind) > .rejectBody }
    switch certain {
    case 0: return !left.isEmpty && addBranches(left, kind: kind, isExclusive: true, to: &steps)
    case 1: return addNone(left.map { body(of: $0, kind) }, &steps)
    default: return false
    }
  }

  private mutating func addBranches(
    _ nodes: [Int], kind: FastKind, isExclusive: Bool, to steps: inout [FastInstruction]
  ) -> Bool {
    let bodies = nodes.map { body(of: $0, kind) }
    if bodies.count == 1 { return include(bodies[0], &steps) }
    // One look-up by a key such as `type` replaces a run of every branch.
    if kind == .object, let choice = choice(nodes, bodies, isExclusive: isExclusive) {
      steps.append(FastInstruction(operation: .choice, a: choice))
      return true
    }
    let operation: FastInstruction.Operation =
      switch (isExclusive, marks(kind)) {
      case (true, false): .oneOf
      case (false, false): .anyOf
      case (true, true): .coverOneOf
      case (false, true): .coverAnyOf
      }
    steps.append(FastInstruction(operation: operation, a: list(bodies)))
    return true
  }

  /// Returns whether marks for the parts of a value of this kind are needed.
  private func marks(_ kind: FastKind) -> Bool {
    covers && (kind == .object || kind == .array)
  }

  private mutating func addNone(_ bodies: [UInt32], _ steps: inout [FastInstruction]) -> Bool {
    if bodies.contains(.acceptBody) { return false }
    let left = bodies.filter { $0 != .rejectBody }
    if !left.isEmpty { steps.append(FastInstruction(operation: .noneOf, a: list(left))) }
    return true
  }

  private mutating func addConditional(
    _ rule: ConditionalRule, kind: FastKind, to steps: inout [FastInstruction]
  ) -> Bool {
    let then = rule.then.map { body(of: $0, kind) } ?? .acceptBody
    let otherwise = rule.otherwise.map { body(of: $0, kind) } ?? .acceptBody
    let condition = body(of: rule.condition, kind)
    if condition == .acceptBody { return include(then, &steps) }
    if condition == .rejectBody { return include(otherwise, &steps) }
    // With marks the condition runs anyway, because the parts that it evaluates count.
    if then == .acceptBody, otherwise == .acceptBody, !marks(kind) { return true }
    steps.append(
      FastInstruction(
        operation: marks(kind) ? .coverEither : .either, a: condition, b: then, c: otherwise))
    return true
  }
}
