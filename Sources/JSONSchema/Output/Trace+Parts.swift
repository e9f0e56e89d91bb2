import AgentJSON

extension Trace {
  /// `properties`, `patternProperties` and `additionalProperties`, a unit for each that is there.
  mutating func properties(
    _ rules: PropertyRules, _ subject: Subject, _ own: inout Coverage
  ) -> [OutputUnit] {
    guard subject.node.kind == .object else { return [] }
    var named = part("properties", subject)
    var matching = part("patternProperties", subject)
    var others = part("additionalProperties", subject)
    for member in subject.node.members {
      let key = member.key
      var isKnown = false
      if let target = rules.named[key] {
        isKnown = true
        add(key, to: &named) { $0.member(target, member, ["properties", key]) }
      }
      for rule in rules.matching where matches(rule.pattern, key) {
        isKnown = true
        add(key, to: &matching) {
          $0.member(rule.node, member, ["patternProperties", rule.pattern.text])
        }
      }
      if !isKnown, let target = rules.others {
        add(key, to: &others) { $0.member(target, member, ["additionalProperties"]) }
      }
      if isKnown || rules.others != nil { own.add(key: key) }
    }
    var units: [OutputUnit] = []
    if !rules.named.isEmpty { units.append(named.unit) }
    if !rules.matching.isEmpty { units.append(matching.unit) }
    if rules.others != nil { units.append(others.unit) }
    return units
  }

  mutating func unevaluatedKeys(
    _ target: Int, _ subject: Subject, _ own: inout Coverage
  ) -> OutputUnit {
    var part = part("unevaluatedProperties", subject)
    for member in subject.node.members where !own.keys.contains(member.key) {
      add(member.key, to: &part) { $0.member(target, member, ["unevaluatedProperties"]) }
    }
    for member in subject.node.members { own.add(key: member.key) }
    return part.unit
  }

  mutating func names(_ target: Int, _ subject: Subject) -> OutputUnit {
    var part = part("propertyNames", subject)
    for member in subject.node.members {
      let name = JSONDocument(.string(member.key)).root
      let child = step(into: ["propertyNames"]) { $0.check(target, name, at: member.key) }
      part.unit.children.append(child)
      if !child.isValid { part.unit.isValid = false }
    }
    part.unit.annotation = nil
    return part.unit
  }

  /// A unit that tells the keys it was applied to.
  private struct KeyedPart {
    var unit: OutputUnit
    var keys: [JSONValue] = []
  }

  private func part(_ name: String, _ subject: Subject) -> KeyedPart {
    var unit = self.unit(of: subject.schema, [name])
    if annotatesParts(of: subject), subject.node.kind == .object { unit.annotation = [] }
    return KeyedPart(unit: unit)
  }

  private mutating func add(
    _ key: String, to part: inout KeyedPart, _ check: (inout Trace) -> OutputUnit
  ) {
    let child = check(&self)
    part.unit.children.append(child)
    if !child.isValid { part.unit.isValid = false }
    if part.keys.last?.string != key { part.keys.append(.string(key)) }
    if part.unit.annotation != nil { part.unit.annotation = .array(part.keys) }
  }

  private mutating func member(_ target: Int, _ member: JSONMember, _ tokens: [String])
    -> OutputUnit
  {
    step(into: tokens) { $0.check(target, member.value, at: member.key) }
  }
}
