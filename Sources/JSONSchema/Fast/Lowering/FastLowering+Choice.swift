import AgentJSON

extension FastLowering {
  /// Returns a choice among branches by the string of one key, or `nil` if no key distinguishes
  /// them.
  ///
  /// It is exact: a branch is only excluded if its own `const` or `enum` for the key, or its
  /// requirement of the key, rejects the object.
  mutating func choice(_ nodes: [Int], _ bodies: [UInt32], isExclusive: Bool) -> UInt32? {
    let byKey = nodes.map(stringsByKey)
    guard let key = decidingKey(byKey) else { return nil }
    // All branches must limit the key. Otherwise it decides nothing.
    let demands = byKey.compactMap { $0[key] }
    var rows: [String: [UInt32]] = [:]
    var order: [String] = []
    for text in demands.flatMap(\.texts) where rows[text] == nil {
      order.append(text)
      rows[text] = zip(demands, bodies).filter { $0.0.texts.contains(text) }.map(\.1)
    }
    let table = table(order.map { FastTable.Row(text: $0, target: list(rows[$0] ?? [])) })
    let missing = zip(demands, bodies).filter { !$0.0.isRequired }.map(\.1)
    parts.choices.append(
      FastChoice(
        key: slot(key), table: table, missing: list(missing), isExclusive: isExclusive,
        covers: covers))
    return UInt32(parts.choices.count - 1)
  }

  fileprivate struct Demand {
    var texts: Set<String>
    var isRequired = false
  }

  /// Returns the key that leaves the fewest branches for each of its strings, or `nil` if none
  /// excludes a branch.
  private func decidingKey(_ demands: [[String: Demand]]) -> String? {
    var best: (key: String, most: Int)?
    // Sorted, because the order of a dictionary differs from run to run, and the program would too.
    for key in demands.first?.keys.sorted() ?? [] {
      let texts = demands.compactMap { $0[key]?.texts }
      // A branch that doesn't limit the key would match any string and never be excluded.
      guard texts.count == demands.count else { continue }
      let most =
        Set(texts.flatMap(\.self)).map { text in texts.count { $0.contains(text) } }.max() ?? 0
      if most < demands.count, most < best?.most ?? .max { best = (key, most) }
    }
    return best?.key
  }

  /// Returns the keys whose values a branch limits to certain strings, in its own schema or in
  /// those that apply together with it (`$ref`, `allOf`).
  private func stringsByKey(_ branch: Int) -> [String: Demand] {
    let members = program.closure(of: [branch]) { keyword in
      switch keyword {
      case .reference(let target): [target]
      case .allOf(let nodes): nodes
      default: []
      }
    }
    var demands: [String: Demand] = [:]
    let keywords = members.flatMap { program.nodes[$0].keywords }
    for case .properties(let rules) in keywords {
      // ASCII only, as for the strings below: a dictionary considers some keys equal that JSON
      // distinguishes.
      for (key, node) in rules.named where key.utf8.allSatisfy({ $0 < 0x80 }) {
        guard demands[key] == nil, let texts = strings(of: node) else { continue }
        demands[key] = Demand(texts: texts)
      }
    }
    for case .required(let keys) in keywords {
      for key in keys { demands[key]?.isRequired = true }
    }
    return demands
  }

  private func strings(of node: Int) -> Set<String>? {
    for keyword in program.nodes[node].keywords {
      let values: [JSONValue]
      switch keyword {
      case .const(let value): values = [value]
      case .enumeration(let choice): values = choice.values
      default: continue
      }
      let texts = values.compactMap(\.string)
      // Beyond ASCII, a set considers some texts equal that JSON distinguishes: "é" has two
      // encodings.
      let isASCII = texts.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
      return texts.count == values.count && isASCII ? Set(texts) : nil
    }
    return nil
  }
}
