import AgentJSON

extension Evaluation {
  /// Records a failure if failures are collected.
  /// - Returns: always false, the result of the check.
  mutating func fail(
    _ keyword: String, subject: Subject, explanation: @autoclosure () -> Explanation
  ) -> Bool {
    guard collects else { return false }
    // Failures beyond the limit aren't reported, so their messages aren't created.
    if isFull {
      isCut = true
    } else {
      record(keyword, subject: subject, explanation: explanation())
    }
    return false
  }

  /// Whether the list has as many errors as the caller requested.
  var isFull: Bool { failures.count - warnings >= limit }

  mutating func record(_ keyword: String, subject: Subject, explanation: Explanation) {
    guard !isFull || explanation.severity == .warning else {
      isCut = true
      return
    }
    note(keyword, subject: subject, explanation: explanation)
  }

  /// Records that the list is incomplete, at the end of the value, so that this comes last.
  mutating func tellCut(_ index: Int, _ node: JSONNode) {
    isCut = true
    var explanation = Explanation.cut(after: limit)
    let end = node.range.upperBound
    explanation.range = max(node.range.lowerBound, end - 1)..<end
    note(
      "$ref", subject: Subject(node: node, schema: program.nodes[index]), explanation: explanation)
  }

  private mutating func note(_ keyword: String, subject: Subject, explanation: Explanation) {
    if explanation.severity == .warning {
      // Warnings have a limit of their own, so that they don't displace errors.
      guard warnings < limit else { return }
      warnings += 1
    }
    scope.remainingSteps -= EvaluationScope.stepsForWords
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

  /// Replaces all errors about a member or an element since `start` by the text of the schema's
  /// author. Warnings stay.
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
    return fail("false", subject: subject, explanation: .notAllowed(key, subject.node))
  }

  mutating func warnDeprecated(_ subject: Subject) {
    guard warnings < limit else { return }
    let key = path.last
    record("deprecated", subject: subject, explanation: .deprecated(key, subject.schema.notes))
  }

  /// Returns the failures in the order of the document. A missing key that exists under a
  /// misspelled name is reported once, at that name. Two paths to the same schema cause one
  /// failure.
  func report(on node: JSONNode) -> [SchemaFailure] {
    var relocation = KeyRelocation(program, node)
    let reported = failures.map { relocation.applied(to: $0) }
    let misspelt = Set(
      reported.flatMap { failure in
        (failure.settledKeys + [failure.nearestKey].compactMap(\.self))
          .map(failure.instance.appending)
      })
    let kept = reported.filter { failure in
      guard let key = failure.key, failure.keyword == "required" else { return true }
      return !misspelt.contains(failure.instance.appending(key))
    }
    let ordered = kept.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    var seen: Set<FailureKey> = []
    return trimmed(ordered.map(\.element).filter { seen.insert(FailureKey($0)).inserted })
  }

  /// Cuts the list to the limit. An intended branch adds all its failures at once, which may be
  /// more than the remaining number.
  private func trimmed(_ failures: [SchemaFailure]) -> [SchemaFailure] {
    var space = limit == .max ? limit : limit + (isCut ? 1 : 0)
    var kept = failures.filter { failure in
      guard failure.severity == .error else { return true }
      space -= 1
      return space >= 0
    }
    // The last failure says that there are more. It replaces the last kept error.
    if isCut, space < 0, let last = failures.last, let index = kept.lastIndex(where: \.isError) {
      kept[index] = last
    }
    return kept
  }

  /// The parts of a failure. Failures with equal parts look the same to a reader.
  private struct FailureKey: Hashable {
    let instance: JSONPointer
    let message: String

    init(_ failure: SchemaFailure) {
      instance = failure.instance
      message = failure.message
    }
  }
}

extension SchemaFailure {
  var isError: Bool { severity == .error }
}
