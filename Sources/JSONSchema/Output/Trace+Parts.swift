import AgentJSON
import ECMARegex

extension Trace {
  /// Returns a unit for each existing keyword of `properties`, `patternProperties` and
  /// `additionalProperties`.
  mutating func properties(
    _ rules: PropertyRules, subject: Subject, coverage own: inout Coverage
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
        add(key, to: &named) { $0.member(target, member: member, tokens: ["properties", key]) }
      }
      for rule in rules.matching where matches(rule.pattern, key) {
        isKnown = true
        add(key, to: &matching) {
          $0.member(rule.node, member: member, tokens: ["patternProperties", rule.pattern.text])
        }
      }
      if !isKnown, let target = rules.others {
        add(key, to: &others) {
          $0.member(target, member: member, tokens: ["additionalProperties"])
        }
      }
      if isKnown || rules.others != nil { own.add(key: key) }
    }
    var units: [OutputUnit] = []
    if !rules.named.isEmpty { units.append(named.reported) }
    if !rules.matching.isEmpty { units.append(matching.reported) }
    if rules.others != nil { units.append(others.reported) }
    return units
  }

  mutating func unevaluatedKeys(
    _ target: Int, subject: Subject, coverage own: inout Coverage
  ) -> OutputUnit {
    var part = part("unevaluatedProperties", subject)
    for member in subject.node.members where !own.covers(key: member.key) {
      add(member.key, to: &part) {
        $0.member(target, member: member, tokens: ["unevaluatedProperties"])
      }
    }
    for member in subject.node.members { own.add(key: member.key) }
    return part.reported
  }

  mutating func names(_ target: Int, _ subject: Subject) -> OutputUnit {
    var part = part("propertyNames", subject)
    for member in subject.node.members {
      let name = JSONDocument(.string(member.key)).root
      let child = step(into: ["propertyNames"]) { $0.check(target, name, at: member.key) }
      part.unit.children.append(child)
      if !child.isValid { part.unit.isValid = false }
    }
    return part.unit
  }

  /// A unit with the keys to which it was applied.
  private struct KeyedPart {
    fileprivate var unit: OutputUnit
    let annotates: Bool
    var keys: [JSONValue] = []

    /// The unit with its keys. They are added at once, because a list in a value is copied when it
    /// grows.
    var reported: OutputUnit {
      var unit = unit
      if annotates { unit.annotation = .array(keys) }
      return unit
    }
  }

  private func part(_ name: String, _ subject: Subject) -> KeyedPart {
    KeyedPart(
      unit: unit(of: subject.schema, [name]),
      annotates: annotatesParts(of: subject) && subject.node.kind == .object)
  }

  private mutating func add(
    _ key: String, to part: inout KeyedPart, _ check: (inout Trace) -> OutputUnit
  ) {
    let child = check(&self)
    part.unit.children.append(child)
    if !child.isValid { part.unit.isValid = false }
    // Two patterns may match the same key, one after the other.
    if part.keys.last != .string(key) { part.keys.append(.string(key)) }
  }

  private mutating func member(_ target: Int, member: JSONMember, tokens: [String])
    -> OutputUnit
  {
    step(into: tokens) { $0.check(target, member.value, at: member.key) }
  }
}
