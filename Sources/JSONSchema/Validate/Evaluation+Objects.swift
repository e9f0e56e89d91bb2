import AgentJSON

extension Evaluation {
  mutating func checkRequired(_ keys: [String], _ subject: Subject) -> Bool {
    guard subject.node.kind == .object else { return true }
    let present = PresentKeys(subject.node, asked: keys.count)
    // Lazy: without failures, the first missing key ends the check.
    let missing = keys.lazy.filter { !present.contains($0) }
    guard collects else { return missing.isEmpty }
    for (key, node) in schemas(of: Array(missing), subject) {
      record("required", subject: subject, explanation: .missing(key, node: node, program: program))
    }
    return missing.isEmpty
  }

  mutating func checkDependentRequired(
    _ rules: DependentRules<DependentKeys>, _ subject: Subject
  ) -> Bool {
    let applying = rules.applying(to: subject.node)
    guard !applying.isEmpty else { return true }
    let asked = applying.reduce(0) { $0 + $1.needed.count }
    let present = PresentKeys(subject.node, asked: asked)
    var fits = true
    for rule in applying {
      let missing = rule.needed.filter { !present.contains($0) }
      if missing.isEmpty { continue }
      fits = false
      guard collects else { return false }
      for (key, node) in schemas(of: missing, subject) {
        record(
          rule.keyword, subject: subject,
          explanation: .missing(key, because: rule.key, node: node, program: program))
      }
    }
    return fits
  }

  mutating func checkNames(_ target: Int, _ subject: Subject) -> Bool {
    // A key is checked as a document of its own, whose offsets mean other places. Its results must
    // not be stored for values of this document.
    let wasInDocument = isInDocument
    isInDocument = false
    defer { isInDocument = wasInDocument }
    var fits = true
    for member in subject.node.members {
      let name = JSONDocument(.string(member.key)).root
      var coverage = Coverage(tracks: false)
      if probe(target, node: name, coverage: &coverage) { continue }
      fits = false
      guard collects else { return false }
      explainName(target, name: name, member: member)
    }
    return fits
  }

  private mutating func explainName(_ target: Int, name: JSONNode, member: JSONMember) {
    let start = failures.count
    var coverage = Coverage(tracks: false)
    _ = check(target, node: name, coverage: &coverage)
    for index in failures.indices.dropFirst(start) {
      failures[index] = failures[index].onKey(member.key, member.keyRange)
    }
  }

  mutating func checkProperties(
    _ rules: PropertyRules, subject: Subject, coverage: inout Coverage
  ) -> Bool {
    var fits = true
    let wasRequired = isRequired
    defer { isRequired = wasRequired }
    var known: KnownKeys?
    for member in subject.node.members {
      if collects { isRequired = subject.schema.requires(member.key) }
      let start = failures.count
      if checkMember(member, rules: rules, subject: subject, known: &known, coverage: &coverage) {
        continue
      }
      fits = false
      if !collects { return false }
      let text = subject.schema.notes.messages.text(forMember: member.key)
      replaceFailures(from: start, at: member.key, member.value, by: text)
    }
    return fits
  }

  private mutating func checkMember(
    _ member: JSONMember, rules: PropertyRules, subject: Subject, known: inout KnownKeys?,
    coverage: inout Coverage
  ) -> Bool {
    let key = member.key
    var fits = true
    var isKnown = false
    if let target = rules.named[key] {
      isKnown = true
      fits = check(target, member.value, at: key)
    }
    for rule in rules.matching where matches(rule.pattern, key) {
      isKnown = true
      fits = check(rule.node, member.value, at: key) && fits
    }
    if isKnown {
      coverage.add(key: key)
      return fits
    }
    guard let others = rules.others else { return true }
    coverage.add(key: key)
    return checkOther(
      member, target: others, keyword: "additionalProperties", subject: subject, known: &known,
      all: rules.order)
  }

  /// Checks a member without a rule by the schema for such members. If none is allowed, its key is
  /// unknown, even if the caller ignores the value: the key is wrong and not the value.
  private mutating func checkOther(
    _ member: JSONMember, target: Int, keyword: String, subject: Subject,
    known: inout KnownKeys?, all: @autoclosure () -> [String]
  ) -> Bool {
    guard program.nodes[target].isNever else { return check(target, member.value, at: member.key) }
    guard collects else { return false }
    var keys = known ?? KnownKeys(all(), in: subject.node)
    // Collecting the keys takes one step for each, once for all unknown members of the object.
    if known == nil { scope.remainingSteps -= keys.all.count }
    defer { known = keys }
    let before = keys.comparisons
    _ = fail(keyword, subject: subject, explanation: .unknown(member, &keys))
    scope.remainingSteps -= (before - keys.comparisons) * EvaluationScope.stepsForWords
    return false
  }

  mutating func checkUnevaluatedProperties(
    _ target: Int, subject: Subject, coverage: inout Coverage
  ) -> Bool {
    let left = subject.node.members.filter { !coverage.covers(key: $0.key) }
    guard !left.isEmpty else { return true }
    let walk = SchemaWalk(program: program)
    let undecided = collects ? undecidedKeys(subject, walk) : []
    var known: KnownKeys?
    var fits = true
    for member in left where !undecided.contains(member.key) {
      let isFit = checkOther(
        member, target: target, keyword: "unevaluatedProperties", subject: subject, known: &known,
        all: walk.knownKeys(of: subject.schema, for: subject.node))
      fits = isFit && fits
      coverage.add(key: member.key)
      if !fits, !collects { return false }
    }
    return fits
  }

  /// Returns the keys that may be correct because the key that decides an `if` (such as `type`) is
  /// itself wrong. That is already a failure, which failures of these keys would only hide.
  private func undecidedKeys(_ subject: Subject, _ walk: SchemaWalk) -> [String] {
    // The failures of this object are the latest ones, so the search ends at the first failure of
    // another value.
    let own = failures.reversed().prefix { $0.instance.tokens.starts(with: path) }
    guard !own.isEmpty else { return [] }
    let deciding = walk.decidingKeys(of: subject.schema, for: subject.node)
    let isDecided = !own.contains { failure in
      guard failure.severity == .error else { return false }
      let isMissing = failure.instance.tokens == path && failure.keyword == "required"
      let isWrong = failure.instance.parent?.tokens == path
      let key = isMissing ? failure.key : isWrong ? failure.instance.last : nil
      return key.map(deciding.contains) ?? false
    }
    return isDecided ? [] : walk.knownKeys(of: subject.schema, for: nil)
  }

  /// Returns the keys, each with its schema if it has one.
  private func schemas(of keys: [String], _ subject: Subject) -> [(key: String, node: Int?)] {
    guard !keys.isEmpty else { return [] }
    let walk = SchemaWalk(program: program)
    let companions = walk.companions(of: subject.schema, for: subject.node)
    return keys.map { (key: $0, node: walk.schema(of: $0, among: companions)) }
  }
}
