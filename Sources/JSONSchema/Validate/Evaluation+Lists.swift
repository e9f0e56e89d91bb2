import AgentJSON

extension Evaluation {
  mutating func checkElements(
    _ rules: ElementRules, subject: Subject, coverage: inout Coverage
  ) -> Bool {
    guard subject.node.kind == .array else { return true }
    // Elements that don't match are included. If this check fails, its coverage is dropped, or only
    // prevents explanations from reporting them as unknown.
    coverage.add(leading: rules.rest == nil ? rules.prefix.count : subject.node.count)
    var fits = true
    for (index, element) in subject.node.elements.enumerated() {
      guard let target = rules.node(at: index) else { break }
      let start = failures.count
      if check(target, element, at: String(index)) { continue }
      fits = false
      if !collects { return false }
      let text = subject.schema.notes.messages.text(forElement: index)
      replaceFailures(from: start, at: String(index), element, by: text)
    }
    return fits
  }

  mutating func checkUnevaluatedItems(
    _ target: Int, subject: Subject, coverage: inout Coverage
  ) -> Bool {
    guard subject.node.kind == .array else { return true }
    var fits = true
    for (index, element) in subject.node.elements.enumerated()
    where !coverage.covers(element: index) {
      fits = check(target, element, at: String(index)) && fits
      if !fits, !collects { return false }
    }
    // Evaluated now, for another `unevaluatedItems` around this one.
    coverage.add(leading: subject.node.count)
    return fits
  }

  mutating func checkUnique(_ subject: Subject) -> Bool {
    guard subject.node.kind == .array else { return true }
    var seen: [JSONValue: Int] = [:]
    var fits = true
    for (index, element) in subject.node.elements.enumerated() {
      let value = element.value
      guard let first = seen[value] else {
        seen[value] = index
        continue
      }
      fits = false
      guard collects else { return false }
      path.append(String(index))
      record(
        "uniqueItems", subject: Subject(node: element, schema: subject.schema),
        explanation: .repeated(value, first))
      path.removeLast()
    }
    return fits
  }

  mutating func checkContains(
    _ rule: ContainsRule, subject: Subject, coverage: inout Coverage
  ) -> Bool {
    guard subject.node.kind == .array else { return true }
    var count = 0
    for (index, element) in subject.node.elements.enumerated() {
      var inner = Coverage(tracks: false)
      guard probe(rule.node, node: element, coverage: &inner) else { continue }
      count += 1
      if rule.covers { coverage.add(element: index) }
    }
    // Only explanations need the text.
    let what = collects ? program.phrase(for: rule.node) : ""
    if count < rule.least {
      let keyword = count == 0 && rule.least == 1 ? "contains" : "minContains"
      return fail(
        keyword, subject: subject, explanation: .contains(what, atLeast: rule.least, count))
    }
    if let most = rule.most, count > most {
      return fail(
        "maxContains", subject: subject, explanation: .contains(what, atMost: most, count))
    }
    return true
  }
}
