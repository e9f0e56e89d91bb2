import AgentJSON

/// One check of one value, for a yes or no or for all failures.
struct Evaluation {
  let program: SchemaProgram
  let ignoring: ((JSONNode) -> Bool)?
  /// Whether failures are collected. Without that the first failure ends the check.
  var collects: Bool
  var failures: [SchemaFailure] = []
  /// Keys and indices from the checked value to the current one.
  var path: [String] = []
  /// Whether the current value is a member that must be there.
  var isRequired = false
  /// How many values were accepted because the caller ignores them.
  var ignored = 0
  var scope = EvaluationScope()
  /// Whether the current value is part of the document, as keys aren't that are checked as texts.
  var isInDocument = true
  private var known = ResultCache()
  private var stepsWithoutKnown = 0
  /// The reason why the check was given up. Its answer means nothing then.
  var exhaustion: Explanation?
  /// The most errors, and the most warnings, that are told. Rationale: each one costs words and a
  /// look for its place, and a value with a hundred thousand wrong keys would take minutes.
  let limit: Int
  /// How many warnings were told.
  var warnings = 0
  /// Whether there are failures that aren't told.
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
  /// - Returns: whether `node` fits. `failures` has the reasons why it doesn't.
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

  /// Ends a check of which the steps ran out with a yes or no, which needs fewer steps and is
  /// right.
  private mutating func concludeIncompletely(_ index: Int, _ node: JSONNode) -> Bool {
    var answer = Evaluation(program, collects: false, ignoring: ignoring)
    let fits = answer.run(index, node)
    // The value fits, so they aren't errors.
    if fits { failures.removeAll { $0.severity == .error } }
    record(
      "$ref", subject: Subject(node: node, schema: program.nodes[index]),
      explanation: answer.exhaustion ?? .incomplete(fits: fits, tellsSome: !failures.isEmpty))
    return fits
  }

  /// Checks `node` by schema `index`, and adds the keys and elements that it looks at to
  /// `coverage`.
  mutating func check(_ index: Int, node: JSONNode, coverage: inout Coverage) -> Bool {
    if let ignoring, ignoring(node) {
      ignored += 1
      return true
    }
    // The list of errors is full. Values that aren't looked at any more count as fitting, because
    // these errors have settled the answer for the value as a whole.
    if collects, isFull {
      isCut = true
      return true
    }
    let remembers = isRemembering && !coverage.tracks
    if remembers, let fits = known[index, node] { return fits }
    let schema = program.nodes[index]
    let subject = Subject(node: node, schema: schema)
    // Members and elements count as well: a loop over them takes time, whatever it finds.
    let steps =
      (collects ? EvaluationScope.stepsForWords : 1) + (schema.looksInside ? node.count : 0)
    guard let isNewResource = scope.enter(schema, steps: steps) else {
      // The first reason stays; the others follow from it.
      exhaustion = exhaustion ?? scope.limit
      return false
    }
    defer { scope.leave(resource: isNewResource) }
    if collects, schema.isDeprecated { warnDeprecated(subject) }
    let ignoredBefore = ignored
    let fits = apply(subject, &coverage)
    // An answer in which something was ignored isn't remembered, because ignored values are counted
    // every time.
    if remembers, exhaustion == nil, ignored == ignoredBefore { known[index, node] = fits }
    return fits
  }

  /// Whether answers are remembered: where a yes or no depends on schema and value alone, and the
  /// check has taken longer than most.
  private var isRemembering: Bool {
    !collects && scope.remainingSteps < stepsWithoutKnown && isInDocument && !program.isDynamic
  }

  /// Checks a value inside the current one.
  mutating func check(_ index: Int, _ node: JSONNode, at token: @autoclosure () -> String) -> Bool {
    var coverage = Coverage(tracks: false)
    // Without failures nobody asks for the path, and its text isn't made.
    guard collects else { return check(index, node: node, coverage: &coverage) }
    path.append(token())
    defer { path.removeLast() }
    return check(index, node: node, coverage: &coverage)
  }

  /// Checks without collecting failures, whatever the check around it does.
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
      // A value of the wrong type gets no second failure for not being one of the values listed.
      if !hasType, keyword.listsValues { continue }
      if apply(keyword, subject: subject, coverage: &own) { continue }
      guard collects else { return false }
      fits = false
      if case .type = keyword { hasType = false }
    }
    // A part that doesn't fit has looked at nothing. For explanations it has, or every one of its
    // keys would be called unknown.
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

  /// Checks by a keyword that has no schemas in it, apart from any schema.
  mutating func checkAlone(_ keyword: SchemaKeyword, _ subject: Subject) -> Bool {
    var coverage = Coverage(tracks: false)
    return apply(keyword, subject: subject, coverage: &coverage)
  }
}

extension Evaluation {
  /// The place of the current value, as far as advice depends on it.
  var location: ValueLocation {
    ValueLocation(key: path.last, isRequired: isRequired, program: program)
  }
}

/// The place of a value.
struct ValueLocation {
  /// Its key or index; nil for the whole document.
  let key: String?
  let isRequired: Bool
  let program: SchemaProgram
}

/// The value that is checked, and the schema by which it is.
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
