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
    let annotates = program.resources[subject.schema.resource].rules.dialect >= .draft2019
    if annotates, subject.node.kind == .object { unit.annotation = [] }
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

// MARK: - Elements

extension Trace {
  mutating func elements(
    _ rules: ElementRules, _ subject: Subject, _ own: inout Coverage
  ) -> [OutputUnit] {
    guard subject.node.kind == .array else { return [] }
    let names = subject.schema.elementKeywords
    let count = subject.node.count
    var prefix = self.unit(of: subject.schema, [names.prefix])
    var rest = self.unit(of: subject.schema, [names.rest])
    for (index, element) in subject.node.elements.enumerated() {
      if index < rules.prefix.count {
        let tokens = [names.prefix, String(index)]
        add(&prefix) { trace in
          trace.step(into: tokens) { $0.check(rules.prefix[index], element, at: String(index)) }
        }
      } else if let target = rules.rest {
        add(&rest) { trace in
          trace.step(into: [names.rest]) { $0.check(target, element, at: String(index)) }
        }
      }
    }
    own.add(leading: rules.rest == nil ? rules.prefix.count : count)
    if annotates(subject), count > 0 {
      let last = Swift.min(count, rules.prefix.count) - 1
      if last >= 0 { prefix.annotation = last == count - 1 ? true : JSONValue(last) }
      if count > rules.prefix.count { rest.annotation = true }
    }
    return (rules.prefix.isEmpty ? [] : [prefix]) + (rules.rest == nil ? [] : [rest])
  }

  mutating func contains(
    _ rule: ContainsRule, _ subject: Subject, _ own: inout Coverage
  ) -> OutputUnit {
    var unit = self.unit(of: subject.schema, ["contains"])
    guard subject.node.kind == .array else { return unit }
    var found: [JSONValue] = []
    for (index, element) in subject.node.elements.enumerated() {
      let child = step(into: ["contains"]) { $0.check(rule.node, element, at: String(index)) }
      guard child.isValid else { continue }
      unit.children.append(child)
      found.append(JSONValue(index))
      if rule.covers { own.add(element: index) }
    }
    if let failure = leaf(.contains(rule), subject).first {
      // Which of its keywords isn't met: `minContains` and `maxContains` have places of their own.
      unit = self.unit(of: subject.schema, [failure.keyword])
      unit.isValid = false
      unit.error = failure.message
    } else if rule.covers {
      unit.annotation = found.count == subject.node.count ? true : .array(found)
    }
    return unit
  }

  mutating func unevaluatedItems(
    _ target: Int, _ subject: Subject, _ own: inout Coverage
  ) -> OutputUnit {
    var unit = self.unit(of: subject.schema, ["unevaluatedItems"])
    guard subject.node.kind == .array else { return unit }
    for (index, element) in subject.node.elements.enumerated() where !own.covers(element: index) {
      add(&unit) { trace in
        trace.step(into: ["unevaluatedItems"]) { $0.check(target, element, at: String(index)) }
      }
    }
    own.add(leading: subject.node.count)
    if !unit.children.isEmpty { unit.annotation = true }
    return unit
  }

  private mutating func add(_ unit: inout OutputUnit, _ check: (inout Trace) -> OutputUnit) {
    let child = check(&self)
    unit.children.append(child)
    if !child.isValid { unit.isValid = false }
  }

  private func annotates(_ subject: Subject) -> Bool {
    program.resources[subject.schema.resource].rules.dialect >= .draft2019
  }
}

extension SchemaNode {
  /// What its rules for elements are called in its draft.
  fileprivate var elementKeywords: (prefix: String, rest: String) {
    source["items"]?.kind == .array ? ("items", "additionalItems") : ("prefixItems", "items")
  }
}
