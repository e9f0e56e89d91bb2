/// The way from the checked schema to the current one, and the steps that a check may still take.
struct EvaluationScope {
  /// One check goes no deeper, so that no value and no schema exhausts the stack.
  static let maxDepth = 600

  /// The cost in steps of a schema whose result is kept in words or units of output, of a failure,
  /// and of a name that is compared with a misspelt one.
  static let stepsForWords = 25

  /// The steps of a yes or no on a value of `count` bytes: schemas, members and elements. There are
  /// many for each byte, and yet few enough to end the check of a schema that multiplies itself.
  static func steps(forBytes count: Int) -> Int { 1_000_000 + 100 * count }

  /// The steps of a check that reports its failures: 40,000 schemas, and 16 for each byte.
  static func stepsToExplain(forBytes count: Int) -> Int { 1_000_000 + 400 * count }

  /// How many more steps may be taken.
  var remainingSteps = 0
  private var resources: [Int] = []
  private var depth = 0

  /// Whether there are no steps left.
  var isSpent: Bool { remainingSteps <= 0 }

  /// Goes into a schema. Each call that doesn't return nil is followed by one of `leave`.
  /// - Returns: whether the schema is in another resource, for `leave`; nil when the check may go
  ///   no further, for the reason in `limit`.
  mutating func enter(_ schema: SchemaNode, steps: Int) -> Bool? {
    guard depth < Self.maxDepth, remainingSteps > 0 else { return nil }
    depth += 1
    remainingSteps -= steps
    let isNewResource = resources.last != schema.resource
    // Only changes of the resource are kept, because dynamic references are looked up by resource.
    if isNewResource { resources.append(schema.resource) }
    return isNewResource
  }

  /// Comes back from a schema.
  mutating func leave(resource isNewResource: Bool) {
    depth -= 1
    if isNewResource { resources.removeLast() }
  }

  /// The reason why the check may go no further.
  var limit: Explanation { isSpent ? .tooMuch : .tooDeep }

  /// The node that a `$dynamicRef` means here: that of the outermost resource on the way with the
  /// anchor.
  func target(_ anchor: String, or target: Int, in program: SchemaProgram) -> Int {
    for resource in resources {
      if let node = program.dynamicAnchors[resource][anchor] { return node }
    }
    return target
  }
}
