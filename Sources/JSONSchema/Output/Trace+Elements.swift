import AgentJSON

extension Trace {
  mutating func elements(
    _ rules: ElementRules, subject: Subject, coverage own: inout Coverage
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
    if annotatesParts(of: subject), count > 0 {
      let last = Swift.min(count, rules.prefix.count) - 1
      if last >= 0 { prefix.annotation = last == count - 1 ? true : JSONValue(last) }
      if count > rules.prefix.count { rest.annotation = true }
    }
    return (rules.prefix.isEmpty ? [] : [prefix]) + (rules.rest == nil ? [] : [rest])
  }

  mutating func contains(
    _ rule: ContainsRule, subject: Subject, coverage own: inout Coverage
  ) -> OutputUnit {
    var unit = self.unit(of: subject.schema, ["contains"])
    unit.isChoice = true
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
      // The failed keyword is named, because `minContains` and `maxContains` have their own places.
      unit = self.unit(of: subject.schema, [failure.keyword])
      unit.isValid = false
      unit.error = failure.message
    } else if rule.covers {
      unit.annotation = found.count == subject.node.count ? true : .array(found)
    }
    return unit
  }

  mutating func unevaluatedItems(
    _ target: Int, subject: Subject, coverage own: inout Coverage
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

  /// Returns whether keywords with subschemas have annotations with the parts to which these were
  /// applied. They have since 2019-09.
  func annotatesParts(of subject: Subject) -> Bool {
    program.resources[subject.schema.resource].rules.dialect >= .draft2019
  }
}

extension SchemaNode {
  /// The names of the keywords for elements in the draft.
  fileprivate var elementKeywords: (prefix: String, rest: String) {
    source["items"]?.kind == .array ? ("items", "additionalItems") : ("prefixItems", "items")
  }
}
