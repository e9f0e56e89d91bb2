import AgentJSON

/// What explanations ask about schemas.
extension SchemaProgram {
  /// A key whose value tells the branches of a choice apart.
  struct Discriminator {
    let key: String
    let values: [JSONValue]
  }

  /// The keys that at least two of the branches fix to certain values: by `const` if there are
  /// such, else by `enum`.
  func discriminators(of branches: [Int]) -> [Discriminator] {
    let fixed = branches.map(fixedKeys)
    for constant in [true, false] {
      var found: [Discriminator] = []
      for key in fixed.flatMap({ $0.map(\.key) }).uniqued() {
        let lists = fixed.compactMap { $0.first { $0.key == key }?.values }
          .filter { ($0.count == 1) == constant || !constant }
        guard lists.count > 1, Set(lists).count > 1 else { continue }
        found.append(Discriminator(key: key, values: lists.flatMap(\.self)))
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The keys that a schema fixes to certain values.
  func fixedKeys(_ branch: Int) -> [Discriminator] {
    conjunction(of: branch).flatMap { nodes[$0].keywords }.flatMap { keyword in
      guard case .properties(let rules) = keyword else { return [Discriminator]() }
      return rules.order.compactMap { key in
        rules.named[key].flatMap { values(of: $0) }.map { Discriminator(key: key, values: $0) }
      }
    }
  }

  /// The values that a schema lists, where it does.
  func values(of node: Int) -> [JSONValue]? {
    for member in conjunction(of: node) {
      for keyword in nodes[member].keywords {
        switch keyword {
        case .const(let value): return [value]
        case .enumeration(let values): return values
        default: continue
        }
      }
    }
    return nil
  }

  /// What a schema is about, for people: its title, or its description if that is short.
  func note(on node: Int) -> String? {
    for member in conjunction(of: node) {
      let notes = nodes[member].notes
      if let title = notes.title, !title.isEmpty { return title }
      if let text = notes.description, !text.isEmpty {
        return Explanation.firstSentence(text)
      }
    }
    return nil
  }

  /// A schema as a phrase: its title, the values it lists, or its types.
  func phrase(for node: Int) -> String {
    let members = conjunction(of: node).map { nodes[$0] }
    if let title = members.lazy.compactMap(\.notes.title).first { return title }
    if let values = values(of: node), !values.isEmpty { return Explanation.choice(of: values) }
    for member in members {
      for case .type(let types) in member.keywords { return FoundText.choice(types.phrases) }
    }
    return "what \(members.first?.pointer.description ?? "") asks for"
  }
}
