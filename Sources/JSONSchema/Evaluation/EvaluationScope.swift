/// The path from the checked schema to the current one, and the remaining steps of the check.
struct EvaluationScope {
  /// The largest depth of a check, so that no value and no schema exhausts the stack.
  static let maxDepth = 600

  /// The cost in steps of an explained schema, a unit of output, a failure, or the comparison of a
  /// name with a misspelled one.
  static let stepsForWords = 25

  /// Returns the steps for the result on a value of `count` bytes. Schemas, members and elements
  /// each take one. The number suffices for any sensible schema and still ends the check of a
  /// schema that multiplies itself.
  static func steps(forBytes count: Int) -> Int { 1_000_000 + 100 * count }

  /// Returns the steps for a check that reports failures: 40,000 schemas, and 16 for each byte.
  static func stepsToExplain(forBytes count: Int) -> Int { 1_000_000 + 400 * count }

  /// The number of remaining steps.
  var remainingSteps = 0
  private var resources: [Int] = []
  private var depth = 0

  /// Whether no steps remain.
  var isSpent: Bool { remainingSteps <= 0 }

  /// Enters a schema. Each call that doesn't return `nil` needs a call of `leave`.
  /// - Returns: whether the schema is in another resource, for `leave`. `nil` if the check must end
  ///   for the reason in `limit`.
  mutating func enter(_ schema: SchemaNode, steps: Int) -> Bool? {
    guard depth < Self.maxDepth, remainingSteps > 0 else { return nil }
    depth += 1
    remainingSteps -= steps
    let isNewResource = resources.last != schema.resource
    // Only changes of the resource are stored, because dynamic references are looked up by
    // resource.
    if isNewResource { resources.append(schema.resource) }
    return isNewResource
  }

  /// Leaves a schema.
  mutating func leave(resource isNewResource: Bool) {
    depth -= 1
    if isNewResource { resources.removeLast() }
  }

  /// The reason why the check must end.
  var limit: Explanation { isSpent ? .tooMuch : .tooDeep }

  /// Returns the target of a `$dynamicRef`: the anchor of the outermost resource on the path.
  func target(_ anchor: String, or target: Int, in program: SchemaProgram) -> Int {
    for resource in resources {
      if let node = program.dynamicAnchors[resource][anchor] { return node }
    }
    return target
  }
}
