import AgentJSON

extension Trace {
  /// Returns the units of a keyword of the program, one for each keyword of the schema in it.
  mutating func units(
    _ keyword: SchemaKeyword, subject: Subject, coverage own: inout Coverage
  ) -> [OutputUnit] {
    switch keyword {
    case .properties(let rules): return properties(rules, subject: subject, coverage: &own)
    case .propertyNames(let target): return [names(target, subject)]
    case .elements(let rules): return elements(rules, subject: subject, coverage: &own)
    case .contains(let rule): return [contains(rule, subject: subject, coverage: &own)]
    case .unevaluatedItems(let target):
      return [unevaluatedItems(target, subject: subject, coverage: &own)]
    case .unevaluatedProperties(let target):
      return [unevaluatedKeys(target, subject: subject, coverage: &own)]
    case .allOf(let targets):
      return [branches("allOf", targets: targets, subject: subject, coverage: &own) { $0 == $1 }]
    case .anyOf(let targets):
      return [
        branches("anyOf", targets: targets, subject: subject, coverage: &own) { $0 > 0 || $1 == 0 }
      ]
    case .oneOf(let targets):
      return [
        branches("oneOf", targets: targets, subject: subject, coverage: &own) { fits, _ in fits == 1
        }
      ]
    case .not(let target): return [negation(target, subject)]
    case .conditional(let rule): return conditional(rule, subject: subject, coverage: &own)
    case .dependentSchemas(let rules): return dependents(rules, subject: subject, coverage: &own)
    default: return leaves(keyword, subject)
    }
  }

  private mutating func leaves(_ keyword: SchemaKeyword, _ subject: Subject) -> [OutputUnit] {
    let messages = leaf(keyword, subject).map(\.message)
    return keyword.names.map { name in
      var unit = self.unit(of: subject.schema, [name])
      unit.isValid = messages.isEmpty
      if !messages.isEmpty { unit.error = messages.joined(separator: "; ") }
      return unit
    }
  }

  private mutating func branches(
    _ name: String, targets: [Int], subject: Subject, coverage own: inout Coverage,
    isFit: (_ matching: Int, _ all: Int) -> Bool
  ) -> OutputUnit {
    var unit = self.unit(of: subject.schema, [name])
    unit.isChoice = name != "allOf"
    for (index, target) in targets.enumerated() {
      unit.children.append(
        step(into: [name, String(index)]) { $0.check(target, node: subject.node, coverage: &own) })
    }
    let matching = unit.children.count(where: \.isValid)
    unit.isValid = isFit(matching, targets.count)
    if !unit.isValid, matching > 0, name == "oneOf" {
      let fits = zip(targets, unit.children).filter(\.1.isValid).map(\.0)
      unit.error = Explanation.severalFit(fits, node: subject.node, program: program).message
    }
    return unit
  }

  private mutating func negation(_ target: Int, _ subject: Subject) -> OutputUnit {
    var unit = self.unit(of: subject.schema, ["not"])
    unit.isChoice = true
    var inner = Coverage(tracks: false)
    let child = step(into: ["not"]) { $0.check(target, node: subject.node, coverage: &inner) }
    unit.isValid = !child.isValid
    if child.isValid {
      unit.error = Explanation.anythingBut(target, node: subject.node, program: program).message
    }
    return unit
  }

  private mutating func conditional(
    _ rule: ConditionalRule, subject: Subject, coverage own: inout Coverage
  ) -> [OutputUnit] {
    var condition = self.unit(of: subject.schema, ["if"])
    condition.isChoice = true
    let result = step(into: ["if"]) { $0.check(rule.condition, node: subject.node, coverage: &own) }
    // A condition that doesn't hold isn't a failure, but its annotations don't count.
    if result.isValid { condition.children = [result] }
    let side = result.isValid ? ("then", rule.then) : ("else", rule.otherwise)
    guard let target = side.1 else { return [condition] }
    return [
      condition, step(into: [side.0]) { $0.check(target, node: subject.node, coverage: &own) },
    ]
  }

  private mutating func dependents(
    _ rules: DependentRules<DependentSchema>, subject: Subject, coverage own: inout Coverage
  ) -> [OutputUnit] {
    let applying = rules.applying(to: subject.node)
    return rules.keywords.map { name in
      var unit = self.unit(of: subject.schema, [name])
      for rule in applying where rule.keyword == name {
        unit.children.append(
          step(into: [name, rule.key]) { $0.check(rule.node, node: subject.node, coverage: &own) })
      }
      unit.isValid = unit.children.allSatisfy(\.isValid)
      return unit
    }
  }
}

extension SchemaKeyword {
  /// The names in the schema of a keyword without subschemas.
  fileprivate var names: [String] {
    switch self {
    case .type: ["type"]
    case .const: ["const"]
    case .enumeration: ["enum"]
    case .multipleOf: ["multipleOf"]
    case .bound(let bound): [bound.relation.rawValue]
    case .size(let bound): [bound.keyword]
    case .pattern: ["pattern"]
    case .format: ["format"]
    case .content(let rule): [rule.isJSON ? "contentMediaType" : "contentEncoding"]
    case .required: ["required"]
    case .dependentRequired(let rules): rules.keywords
    case .uniqueItems: ["uniqueItems"]
    default: []
    }
  }
}
