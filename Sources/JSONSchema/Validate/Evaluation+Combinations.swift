import AgentJSON

extension Evaluation {
  mutating func combine(
    _ keyword: SchemaKeyword, subject: Subject, coverage: inout Coverage
  ) -> Bool {
    let node = subject.node
    switch keyword {
    case .reference(let target): return check(target, node: node, coverage: &coverage)
    case .dynamicReference(let target, let anchor):
      return check(scope.target(anchor, or: target, in: program), node: node, coverage: &coverage)
    case .allOf(let targets): return checkAll(targets, node: node, coverage: &coverage)
    case .anyOf(let targets): return checkAny(targets, subject: subject, coverage: &coverage)
    case .oneOf(let targets): return checkOne(targets, subject: subject, coverage: &coverage)
    case .not(let target): return checkNot(target, subject)
    case .conditional(let rule): return checkConditional(rule, node: node, coverage: &coverage)
    case .dependentSchemas(let schemas):
      return checkAll(schemas.applying(to: node).map(\.node), node: node, coverage: &coverage)
    default: return true
    }
  }

  private mutating func checkAll(
    _ targets: [Int], node: JSONNode, coverage: inout Coverage
  ) -> Bool {
    var fits = true
    for target in targets {
      if check(target, node: node, coverage: &coverage) { continue }
      fits = false
      // Without failures, the first mismatch ends the check. An explanation reports all of them.
      if !collects { return false }
    }
    return fits
  }

  private mutating func checkAny(
    _ targets: [Int], subject: Subject, coverage: inout Coverage
  ) -> Bool {
    var fits = false
    for target in targets {
      guard probe(target, node: subject.node, coverage: &coverage) else { continue }
      fits = true
      warn(target, subject.node)
      // With `unevaluated…` around it, every matching branch counts.
      if !coverage.tracks { break }
    }
    return fits || explainBranches("anyOf", targets: targets, subject: subject, coverage: &coverage)
  }

  private mutating func checkOne(
    _ targets: [Int], subject: Subject, coverage: inout Coverage
  ) -> Bool {
    let before = ignored
    var matching: [Int] = []
    for target in targets where probe(target, node: subject.node, coverage: &coverage) {
      matching.append(target)
      warn(target, subject.node)
      // Not if something was ignored: once it is known, one of the two may fail.
      if matching.count == 2, !collects, ignored == before { return false }
    }
    if matching.isEmpty {
      return explainBranches("oneOf", targets: targets, subject: subject, coverage: &coverage)
    }
    // Ignored values may distinguish the branches once they are known.
    if matching.count == 1 || ignored > before { return true }
    if collects {
      record(
        "oneOf", subject: subject,
        explanation: .severalFit(matching, node: subject.node, program: program))
    }
    return false
  }

  private mutating func checkNot(_ target: Int, _ subject: Subject) -> Bool {
    let before = ignored
    // A `not` evaluates nothing: it only holds if its schema doesn't match.
    var inner = Coverage(tracks: false)
    // A schema that matches only because something is ignored may fail once that is known.
    guard probe(target, node: subject.node, coverage: &inner), ignored == before else {
      return true
    }
    if collects {
      record(
        "not", subject: subject,
        explanation: .anythingBut(target, node: subject.node, program: program))
    }
    return false
  }

  private mutating func checkConditional(
    _ rule: ConditionalRule, node: JSONNode, coverage: inout Coverage
  ) -> Bool {
    let target = probe(rule.condition, node: node, coverage: &coverage) ? rule.then : rule.otherwise
    return target.map { check($0, node: node, coverage: &coverage) } ?? true
  }

  /// Checks a matching branch again for its warnings, because a probe collects none.
  private mutating func warn(_ target: Int, _ node: JSONNode) {
    guard collects, program.warns else { return }
    var inner = Coverage(tracks: false)
    _ = check(target, node: node, coverage: &inner)
  }

  /// Reports the failures of the branch that was most likely intended, and none of the others.
  private mutating func explainBranches(
    _ keyword: String, targets: [Int], subject: Subject, coverage: inout Coverage
  ) -> Bool {
    guard collects else { return false }
    // Choosing a branch takes time too.
    scope.remainingSteps -= EvaluationScope.stepsForWords * targets.count
    // Swapped and not copied: a list of a thousand failures would be copied at every element.
    var kept: [SchemaFailure] = []
    swap(&kept, &failures)
    let attempts = targets.map { target in
      failures = []
      var inner = Coverage(tracks: coverage.tracks)
      _ = check(target, node: subject.node, coverage: &inner)
      return BranchAttempt(node: target, failures: failures, coverage: inner)
    }
    swap(&kept, &failures)
    let choice = BranchChoice(attempts: attempts, node: subject.node, path: path, program: program)
    if let explanation = choice.explanation {
      record(keyword, subject: subject, explanation: explanation)
    } else if let (key, explanation) = choice.discriminator, let child = subject.node[key] {
      path.append(key)
      record(
        keyword, subject: Subject(node: child, schema: subject.schema), explanation: explanation)
      path.removeLast()
    } else if let meant = choice.meant {
      coverage.formUnion(meant.coverage)
      failures += meant.failures
      return false
    }
    // No branch was chosen. The keys of all branches count, because otherwise they would be
    // reported as unknown.
    for attempt in attempts { coverage.formUnion(attempt.coverage) }
    return false
  }
}
