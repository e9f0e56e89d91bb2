import AgentJSON
import ECMARegex

/// Facts about schemas for explanations.
extension SchemaProgram {
  /// A key whose value distinguishes the branches of a choice.
  struct Discriminator {
    let key: String
    let values: [JSONValue]
    /// The value that each branch requires for the key, by the branch's node.
    var byBranch: [Int: JSONValue] = [:]

    func value(of branch: Int) -> JSONValue? { byBranch[branch] }
  }

  /// Returns the keys that at least two branches restrict to certain values: by `const` if there
  /// are any, otherwise by `enum`.
  func discriminators(of branches: [Int]) -> [Discriminator] {
    let fixed = branches.map(fixedKeys)
    // A constant identifies one branch. A list of values may only exclude some.
    for constant in [true, false] {
      var found: [Discriminator] = []
      for key in fixed.flatMap({ $0.map(\.key) }).uniqued() {
        let lists = fixed.compactMap { $0.first { $0.key == key }?.values }
          .filter { ($0.count == 1) == constant || !constant }
        guard lists.count > 1, Set(lists).count > 1 else { continue }
        var discriminator = Discriminator(key: key, values: lists.flatMap(\.self))
        for (branch, keys) in zip(branches, fixed) {
          let values = keys.first { $0.key == key }?.values
          discriminator.byBranch[branch] = values?.count == 1 ? values?.first : nil
        }
        found.append(discriminator)
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Returns the keys that a schema restricts to certain values.
  func fixedKeys(_ branch: Int) -> [Discriminator] {
    conjunction(of: branch).flatMap { nodes[$0].keywords }.flatMap { keyword in
      guard case .properties(let rules) = keyword else { return [Discriminator]() }
      return rules.order.compactMap { key in
        rules.named[key].flatMap { values(of: $0) }.map { Discriminator(key: key, values: $0) }
      }
    }
  }

  /// Returns the values that a schema lists, or `nil` if it lists none.
  func values(of node: Int) -> [JSONValue]? {
    for member in conjunction(of: node) {
      for keyword in nodes[member].keywords {
        switch keyword {
        case .const(let value): return [value]
        case .enumeration(let choice): return choice.values
        default: continue
        }
      }
    }
    return nil
  }

  /// Returns the subject of a schema for people: its title, or the first sentence of its
  /// description.
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

  /// Returns a phrase for a schema: its title, its listed values, or its most specific demand.
  func phrase(for node: Int) -> String {
    let members = conjunction(of: node).map { nodes[$0] }
    if let title = members.lazy.compactMap(\.notes.title).first { return title }
    if let values = values(of: node), !values.isEmpty { return Explanation.choice(of: values) }
    let keywords = members.flatMap(\.keywords)
    for case .required(let keys) in keywords {
      return "an object with \(FoundText.choice(keys.map(FoundText.quoted), "and"))"
    }
    for case .pattern(let pattern) in keywords { return "a string that matches \(pattern.text)" }
    for case .format(let format) in keywords { return format.expectation }
    for case .bound(let bound) in keywords { return bound.phrase }
    for case .type(let types) in keywords { return FoundText.choice(types.phrases) }
    return "what \(members.first?.pointer.description ?? "") asks for"
  }
}
