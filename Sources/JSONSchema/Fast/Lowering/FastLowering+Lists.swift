extension FastLowering {
  /// Whether marks for the parts of the value are needed.
  var covers: Bool { unit.tracks || program.nodes[unit.node].tracks }

  mutating func addElements(_ rules: ElementRules, _ steps: inout [FastInstruction]) {
    if !covers, let node = rules.rest, program.nodes[node].isNever {
      // No elements may follow the prefix, so their number decides.
      steps.append(
        FastInstruction(operation: .count, a: 0, b: UInt32(clamping: rules.prefix.count)))
      return addElements(ElementRules(prefix: rules.prefix), &steps)
    }
    let nodes = rules.prefix + [rules.rest].compactMap(\.self)
    // The schemas demand nothing. With marks, the elements must still be marked.
    if !covers, nodes.allSatisfy({ program.nodes[$0].keywords.isEmpty }) { return }
    let prefix = rules.prefix.map { child($0) }
    let rest = rules.rest.map { child($0) } ?? .nothing
    steps.append(
      FastInstruction(
        operation: covers ? .coverElements : .elements, a: list(prefix), b: rest))
  }

  mutating func addContains(_ rule: ContainsRule, _ steps: inout [FastInstruction]) {
    let covers = covers && rule.covers
    if !covers, rule.least == 0, rule.most == nil { return }
    steps.append(
      FastInstruction(
        operation: covers ? .coverContained : .contains, a: child(rule.node),
        b: UInt32(clamping: rule.least),
        // `.nothing` means no upper bound, so a huge bound must stay below it.
        c: rule.most.map { min(UInt32(clamping: $0), .nothing - 1) } ?? .nothing))
  }
}
