import AgentJSON

extension FastLowering {
  /// The largest number of rules that are checked one after the other, each with a pass over the
  /// object's keys. More rules are looked up in a table, in one pass.
  private static let maxInTurn = 4

  /// Adds the keys that other keys require.
  mutating func addDependents(
    _ rules: DependentRules<DependentKeys>, _ steps: inout [FastInstruction]
  ) {
    let pairs = rules.all.flatMap { rule in rule.needed.map { (rule.key, $0) } }
    guard pairs.count > Self.maxInTurn else {
      for (key, needed) in pairs {
        steps.append(FastInstruction(operation: .keyNeedsKey, a: slot(key), b: slot(needed)))
      }
      return
    }
    // Each key occurs once, because it has one bit. The comparison uses bytes, because Swift
    // considers some different keys equal.
    let bodies = rules.byKey.map { key, rules in
      (key, body(requiring: rules.flatMap(\.needed).map(ExactText.init).uniqued().map(\.text)))
    }
    add(bodies, &steps)
  }

  /// Adds the schemas that keys require.
  mutating func addDependents(
    _ rules: DependentRules<DependentSchema>, _ steps: inout [FastInstruction]
  ) {
    let bodies = rules.byKey.map { key, rules in (key, body(ofAll: rules.map(\.node))) }
      // A schema that accepts every object would only cost time.
      .filter { $0.1 != .acceptBody }
    guard bodies.count > Self.maxInTurn else {
      for (key, body) in bodies {
        steps.append(FastInstruction(operation: .keyNeedsBody, a: slot(key), b: body))
      }
      return
    }
    add(bodies, &steps)
  }

  private mutating func add(
    _ bodies: [(key: String, body: UInt32)], _ steps: inout [FastInstruction]
  ) {
    let table = table(bodies.map { FastTable.Row(text: $0.key, target: $0.body) })
    steps.append(FastInstruction(operation: .keysNeedBodies, a: table.start, b: table.shift))
  }

  /// Returns the body of an object that must match several schemas.
  private mutating func body(ofAll nodes: [Int]) -> UInt32 {
    if nodes.count == 1 { return body(of: nodes[0], .object) }
    var steps: [FastInstruction] = []
    for node in nodes where !include(body(of: node, .object), &steps) { return .rejectBody }
    return finish(&steps)
  }
}
