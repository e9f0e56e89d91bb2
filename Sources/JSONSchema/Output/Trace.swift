import AgentJSON
import ECMARegex

/// One check of one value that keeps all results, for the standard's output.
///
/// Rationale: it is separate from `Evaluation`, which omits results that don't help a person and
/// stops at a matching branch. The messages of keywords without subschemas come from there, so that
/// both use the same texts.
struct Trace {
  let program: SchemaProgram
  var instance: [String] = []
  var path: [String] = []
  /// Checks keywords without subschemas, and knows why a check ended early.
  private var evaluation: Evaluation
  private var scope = EvaluationScope()

  init(_ program: SchemaProgram) {
    self.program = program
    evaluation = Evaluation(program, collects: true)
  }

  /// The reason why the check ended early, or `nil`. Only the `certain` part of the result counts
  /// then.
  var exhaustion: Explanation? { evaluation.exhaustion }

  /// Whether the check ended because it took too many steps.
  var isSpent: Bool { scope.isSpent }

  /// Runs the whole check.
  mutating func run(_ node: JSONNode) -> OutputUnit {
    scope.remainingSteps = EvaluationScope.stepsToExplain(forBytes: node.range.count)
    var coverage = Coverage(tracks: false)
    return check(0, node: node, coverage: &coverage)
  }

  /// Checks `node` by a schema. If it matches, the evaluated parts are added to `coverage`.
  mutating func check(_ index: Int, node: JSONNode, coverage: inout Coverage) -> OutputUnit {
    let schema = program.nodes[index]
    var unit = self.unit(of: schema, [])
    unit.isComplete = false
    guard evaluation.exhaustion == nil else { return unit }
    let steps = EvaluationScope.stepsForWords + (schema.looksInside ? node.count : 0)
    guard let isNewResource = scope.enter(schema, steps: steps) else {
      evaluation.exhaustion = scope.limit
      return unit
    }
    defer { scope.leave(resource: isNewResource) }
    fill(&unit, subject: Subject(node: node, schema: schema), coverage: &coverage)
    unit.isComplete = evaluation.exhaustion == nil
    return unit
  }

  private mutating func fill(
    _ unit: inout OutputUnit, subject: Subject, coverage: inout Coverage
  ) {
    if subject.schema.isNever {
      unit.isValid = false
      unit.error = leaf(.never, subject).map(\.message).joined(separator: "; ")
      return
    }
    var own = Coverage(tracks: coverage.tracks || subject.schema.tracks)
    var references = subject.schema.referenceNames[...]
    for keyword in subject.schema.keywords {
      var units: [OutputUnit]
      switch keyword {
      case .reference(let target):
        units = [refer(to: target, name: references.popFirst(), subject: subject, coverage: &own)]
      case .dynamicReference(let target, let anchor):
        let target = scope.target(anchor, or: target, in: program)
        units = [refer(to: target, name: references.popFirst(), subject: subject, coverage: &own)]
      default: units = self.units(keyword, subject: subject, coverage: &own)
      }
      if units.contains(where: { !$0.isValid }) { unit.isValid = false }
      if evaluation.exhaustion != nil {
        for index in units.indices { units[index].isComplete = false }
      }
      unit.children += units
    }
    unit.children += annotations(of: subject)
    // A unit contains its paths, which take most of its memory.
    scope.remainingSteps -=
      unit.children.count * (EvaluationScope.stepsForWords + 4 * (path.count + instance.count))
    if unit.isValid { coverage.formUnion(own) }
  }

  private mutating func refer(
    to target: Int, name: String?, subject: Subject, coverage: inout Coverage
  ) -> OutputUnit {
    step(into: [name ?? "$ref"]) { $0.check(target, node: subject.node, coverage: &coverage) }
  }

  /// Returns the failures of a keyword without subschemas.
  mutating func leaf(_ keyword: SchemaKeyword, _ subject: Subject) -> [SchemaFailure] {
    evaluation.path = instance
    evaluation.failures = []
    evaluation.scope = scope
    defer { scope = evaluation.scope }
    return evaluation.checkAlone(keyword, subject) ? [] : evaluation.failures
  }

  /// Returns whether a key matches. If that takes too many steps, the check is ended.
  mutating func matches(_ pattern: Pattern, _ key: String) -> Bool {
    evaluation.matches(pattern, key)
  }

  /// Moves into the schema for the duration of `body`.
  mutating func step<T>(into tokens: [String], _ body: (inout Trace) -> T) -> T {
    path += tokens
    defer { path.removeLast(tokens.count) }
    return body(&self)
  }

  /// Checks a part of the value.
  mutating func check(_ index: Int, _ node: JSONNode, at token: String) -> OutputUnit {
    instance.append(token)
    defer { instance.removeLast() }
    var coverage = Coverage(tracks: false)
    return check(index, node: node, coverage: &coverage)
  }

  /// Returns a unit for a schema, or for its part under `tokens`.
  func unit(of schema: SchemaNode, _ tokens: [String]) -> OutputUnit {
    OutputUnit(
      path: path + tokens, address: program.address(of: schema, tokens), instance: instance)
  }
}

extension SchemaNode {
  /// The names of the reference keywords, in the order in which they are compiled.
  fileprivate var referenceNames: [String] {
    ["$ref", "$dynamicRef", "$recursiveRef"].filter { source[$0]?.string != nil }
  }
}

extension SchemaProgram {
  /// Returns the address of the part of a schema under `tokens`: the address of its resource with
  /// the path from there. Returns `nil` if the resource has none.
  func address(of schema: SchemaNode, _ tokens: [String]) -> String? {
    let resource = resources[schema.resource]
    guard resource.uri.scheme != nil else { return nil }
    let way = JSONPointer(tokens: schema.path.tokens(after: resource.depth) + tokens)
    return "\(resource.uri)#\(URIReference.percentEncoded(fragment: way.description))"
  }
}
