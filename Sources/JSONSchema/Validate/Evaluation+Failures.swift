import AgentJSON

extension Evaluation {
  /// Notes a failure, when failures are wanted; always false, the result of the check.
  mutating func fail(
    _ keyword: String, _ subject: Subject, _ explanation: @autoclosure () -> Explanation
  ) -> Bool {
    guard collects else { return false }
    record(keyword, subject, explanation())
    return false
  }

  mutating func record(_ keyword: String, _ subject: Subject, _ explanation: Explanation) {
    descent.remainingSteps -= Descent.stepsForWords
    let notes = subject.schema.notes
    let message = notes.messages.text(for: keyword, key: explanation.key)
    let pointer = subject.schema.pointer
    failures.append(
      SchemaFailure(
        severity: explanation.severity, instance: JSONPointer(tokens: path),
        key: explanation.key, range: explanation.range ?? subject.node.range,
        schema: keyword == "false" ? pointer : pointer.appending(keyword), keyword: keyword,
        expected: explanation.expected, found: explanation.found,
        suggestion: explanation.suggestion,
        message: message.map(explanation.message(instead:)) ?? explanation.message,
        nearestKey: explanation.nearestKey))
  }

  /// Puts the schema author's words about a member or an element in place of all that was said
  /// about it since `start`.
  mutating func replaceFailures(
    from start: Int, at token: String, _ node: JSONNode, by text: String?
  ) {
    guard let text, let first = failures.dropFirst(start).first(where: { $0.severity == .error })
    else { return }
    let found = FoundText.of(node)
    let explanation = Explanation(expected: text, found: found)
    let warnings = failures.dropFirst(start).filter { $0.severity == .warning }
    failures.removeSubrange(start...)
    failures += warnings
    failures.append(
      SchemaFailure(
        instance: JSONPointer(tokens: path + [token]), key: nil, range: node.range,
        schema: first.schema, keyword: first.keyword, expected: text, found: found,
        suggestion: nil, message: explanation.message(instead: text), nearestKey: nil))
  }

  mutating func failNever(_ subject: Subject) -> Bool {
    let key = path.last
    return fail("false", subject, .notAllowed(key, subject.node))
  }

  mutating func warnDeprecated(_ subject: Subject) {
    let key = path.last
    record("deprecated", subject, .deprecated(key, subject.schema.notes))
  }

  /// The failures in the order of the document. A missing key that is there under a misspelt name
  /// is told once, at that name; two ways to the same schema make one failure, not two.
  func report(on node: JSONNode) -> [SchemaFailure] {
    var relocation = KeyRelocation(program, node)
    let told = failures.map { relocation.applied(to: $0) }
    let misspelt = Set(
      told.flatMap { failure in
        (failure.settledKeys + [failure.nearestKey].compactMap(\.self))
          .map(failure.instance.appending)
      })
    let kept = told.filter { failure in
      guard let key = failure.key, failure.keyword == "required" else { return true }
      return !misspelt.contains(failure.instance.appending(key))
    }
    let ordered = kept.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    var seen: Set<Told> = []
    return ordered.map(\.element).filter { seen.insert(Told($0)).inserted }
  }

  /// What makes two failures the same to a reader.
  private struct Told: Hashable {
    let instance: JSONPointer
    let message: String

    init(_ failure: SchemaFailure) {
      instance = failure.instance
      message = failure.message
    }
  }
}
