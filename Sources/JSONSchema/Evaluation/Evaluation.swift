import AgentJSON

/// One check of one value. It finds either the result only, or all failures.
struct Evaluation {
  let program: SchemaProgram
  let ignoring: ((JSONNode) -> Bool)?
  /// Whether failures are collected. Otherwise, the first failure ends the check.
  var collects: Bool
  var failures: [SchemaFailure] = []
  /// The keys and indices from the checked value to the current one.
  var path: [String] = []
  /// Whether the current value is a required member.
  var isRequired = false
  /// The number of values that were accepted because the caller ignores them.
  var ignored = 0
  var scope = EvaluationScope()
  /// Whether the current value is part of the document. Keys that are checked as texts aren't.
  var isInDocument = true
  private var known = ResultCache()
  private var stepsWithoutKnown = 0
  /// The reason why the check was ended early. Its result is then meaningless.
  var exhaustion: Explanation?
  /// The largest number of errors, and of warnings, that are reported. Rationale: each one needs a
  /// message and a place. A value with a hundred thousand wrong keys would take minutes.
  let limit: Int
  /// The number of reported warnings.
  var warnings = 0
  /// Whether some failures aren't reported.
  var isCut = false

  init(
    _ program: SchemaProgram, collects: Bool, limit: Int = .max,
    ignoring: ((JSONNode) -> Bool)? = nil
  ) {
    self.program = program
    self.collects = collects
    self.limit = limit
    self.ignoring = ignoring
  }

  /// Runs the whole check. Called once.
  /// - Returns: whether `node` matches. `failures` contains the reasons if it doesn't.
  mutating func run(_ index: Int, _ node: JSONNode, steps: Int? = nil) -> Bool {
    let count = node.range.count
    let usual =
      collects
      ? EvaluationScope.stepsToExplain(forBytes: count) : EvaluationScope.steps(forBytes: count)
    scope.remainingSteps = steps ?? usual
    stepsWithoutKnown = scope.remainingSteps - ResultCache.stepsBefore
    var coverage = Coverage(tracks: false)
    let fits = check(index, node: node, coverage: &coverage)
    guard let exhaustion else {
      if isCut || failures.count(where: \.isError) > limit { tellCut(index, node) }
      return fits
    }
    guard collects, scope.isSpent else {
      return fail(
        "$ref", subject: Subject(node: node, schema: program.nodes[index]), explanation: exhaustion)
    }
    return concludeIncompletely(index, node)
  }

  /// Ends a check that has run out of steps with a correct result only, which needs fewer steps.
  private mutating func concludeIncompletely(_ index: Int, _ node: JSONNode) -> Bool {
    var answer = Evaluation(program, collects: false, ignoring: ignoring)
    let fits = answer.run(index, node)
    // The value matches, so the collected failures aren't errors.
    if fits { failures.removeAll { $0.severity == .error } }
    record(
      "$ref", subject: Subject(node: node, schema: program.nodes[index]),
      explanation: answer.exhaustion ?? .incomplete(fits: fits, tellsSome: !failures.isEmpty))
    return fits
  }

  /// Checks `node` by schema `index`, and adds the evaluated keys and elements to `coverage`.
  mutating func check(_ index: Int, node: JSONNode, coverage: inout Coverage) -> Bool {
    if let ignoring, ignoring(node) {
      ignored += 1
      return true
    }
    // The list of errors is full. The remaining values count as matching, because the errors have
    // decided the result for the whole value.
    if collects, isFull {
      isCut = true
      return true
    }
    let remembers = isRemembering && !coverage.tracks
    if remembers, let fits = known[index, node] { return fits }
    let schema = program.nodes[index]
    let subject = Subject(node: node, schema: schema)
    // Members and elements count as steps too, because a loop over them takes time even if it finds
    // nothing.
    let steps =
      (collects ? EvaluationScope.stepsForWords : 1) + (schema.looksInside ? node.count : 0)
    guard let isNewResource = scope.enter(schema, steps: steps) else {
      // The first reason is kept, because the others result from it.
      exhaustion = exhaustion ?? scope.limit
      return false
    }
    defer { scope.leave(resource: isNewResource) }
    if collects, schema.isDeprecated { warnDeprecated(subject) }
    let ignoredBefore = ignored
    let fits = apply(subject, &coverage)
    // A result with an ignored value isn't stored, because ignored values are counted each time.
    if remembers, exhaustion == nil, ignored == ignoredBefore { known[index, node] = fits }
    return fits
  }

  /// Whether results are stored. This requires that the result depends only on schema and value,
  /// and that the check has taken longer than most.
  private var isRemembering: Bool {
    !collects && scope.remainingSteps < stepsWithoutKnown && isInDocument && !program.isDynamic
  }

  /// Checks a value inside the current one.
  mutating func check(_ index: Int, _ node: JSONNode, at token: @autoclosure () -> String) -> Bool {
    var coverage = Coverage(tracks: false)
    // Without failures, the path isn't needed, so its text isn't created.
    guard collects else { return check(index, node: node, coverage: &coverage) }
    path.append(token())
    defer { path.removeLast() }
    return check(index, node: node, coverage: &coverage)
  }

  /// Checks a value without collecting failures, even if the surrounding check collects them.
  mutating func probe(_ index: Int, node: JSONNode, coverage: inout Coverage) -> Bool {
    let wasCollecting = collects
    collects = false
    defer { collects = wasCollecting }
    return check(index, node: node, coverage: &coverage)
  }

  private mutating func apply(_ subject: Subject, _ coverage: inout Coverage) -> Bool {
    var own = Coverage(tracks: coverage.tracks || subject.schema.tracks)
    var fits = true
    var hasType = true
    for keyword in subject.schema.keywords {
      // A value of the wrong type needs no second failure for its listed values.
      if !hasType, keyword.listsValues { continue }
      if apply(keyword, subject: subject, coverage: &own) { continue }
      guard collects else { return false }
      fits = false
      if case .type = keyword { hasType = false }
    }
    // A schema that doesn't match evaluates nothing. For explanations it counts, because otherwise
    // every key would be reported as unknown.
    if fits || collects { coverage.formUnion(own) }
    return fits
  }

  private mutating func apply(
    _ keyword: SchemaKeyword, subject: Subject, coverage own: inout Coverage
  ) -> Bool {
    switch keyword {
    case .never: failNever(subject)
    case .type(let types): checkType(types, subject)
    case .const(let value): checkConst(value, subject)
    case .enumeration(let choice): checkEnumeration(choice, subject)
    case .multipleOf(let divisor): checkMultiple(divisor, subject)
    case .bound(let bound): checkBound(bound, subject)
    case .size(let bound): checkSize(bound, subject)
    case .pattern(let pattern): checkPattern(pattern, subject)
    case .format(let format): checkFormat(format, subject)
    case .content(let rule): checkContent(rule, subject)
    case .required(let keys): checkRequired(keys, subject)
    case .dependentRequired(let rules): checkDependentRequired(rules, subject)
    case .propertyNames(let target): checkNames(target, subject)
    case .properties(let rules): checkProperties(rules, subject: subject, coverage: &own)
    case .elements(let rules): checkElements(rules, subject: subject, coverage: &own)
    case .uniqueItems: checkUnique(subject)
    case .contains(let rule): checkContains(rule, subject: subject, coverage: &own)
    case .unevaluatedItems(let target):
      checkUnevaluatedItems(target, subject: subject, coverage: &own)
    case .unevaluatedProperties(let target):
      checkUnevaluatedProperties(target, subject: subject, coverage: &own)
    default: combine(keyword, subject: subject, coverage: &own)
    }
  }

  /// Checks a keyword without subschemas, independently of its schema.
  mutating func checkAlone(_ keyword: SchemaKeyword, _ subject: Subject) -> Bool {
    var coverage = Coverage(tracks: false)
    return apply(keyword, subject: subject, coverage: &coverage)
  }
}

extension Evaluation {
  /// The location of the current value, as far as advice depends on it.
  var location: ValueLocation {
    ValueLocation(key: path.last, isRequired: isRequired, program: program)
  }
}

/// The location of a value.
struct ValueLocation {
  /// The key or index. `nil` for the whole document.
  let key: String?
  let isRequired: Bool
  let program: SchemaProgram
}

/// The value to check and its schema.
struct Subject {
  let node: JSONNode
  let schema: SchemaNode
}

extension SchemaKeyword {
  fileprivate var listsValues: Bool {
    switch self {
    case .const, .enumeration: true
    default: false
    }
  }
}
