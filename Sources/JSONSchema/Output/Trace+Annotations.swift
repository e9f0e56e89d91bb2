import AgentJSON

extension Trace {
  /// Returns the annotations of a schema for a value.
  func annotations(of subject: Subject) -> [OutputUnit] {
    guard case .object(let source) = subject.schema.source else { return [] }
    let rules = program.resources[subject.schema.resource].rules
    if rules.hidesSiblings, source["$ref"] != nil { return [] }
    return source.compactMap { key, value in
      guard annotates(key, rules: rules, node: subject.node) else { return nil }
      var unit = self.unit(of: subject.schema, [key])
      unit.annotation = value
      return unit
    }
  }

  private func annotates(_ key: String, rules: DialectRules, node: JSONNode) -> Bool {
    guard let keyword = KeywordName.named(key), rules.keywords.contains(keyword) else {
      // Core, section 6.5 of 2020-12: an unknown keyword is an annotation. That doesn't apply
      // before 2019-09.
      return rules.dialect >= .draft2019 && !Self.silent.contains(key)
    }
    switch keyword {
    case .title, .description, .default, .examples, .deprecated, .readOnly, .writeOnly, .format,
      .errorMessage:
      return true
    case .contentEncoding, .contentMediaType, .contentSchema: return node.kind == .string
    default: return false
    }
  }

  /// The keywords without meaning for the compiler that aren't annotations either.
  private static let silent: Set = ["$comment", "$schema", "$vocabulary", "$id"]
}
