/// The way from the checked schema to the current one, and how far a check may still go.
struct Descent {
  /// One check goes no deeper, so that no value and no schema exhausts the stack.
  static let maximumDepth = 600

  /// As how many steps one counts whose result is kept in words or units of output; also a failure,
  /// and a name that is compared with a misspelt one.
  static let stepsForWords = 25

  /// How many schemas, members and elements a yes or no on so many bytes may look at: many for each
  /// byte, but not so many that a schema that multiplies itself takes forever.
  static func steps(forBytes count: Int) -> Int { 1_000_000 + 100 * count }

  /// The same where it is to be told what was found: 40,000 schemas and 16 for each byte.
  static func stepsToExplain(forBytes count: Int) -> Int { 1_000_000 + 400 * count }

  /// How many more steps may be taken.
  var remainingSteps = 0
  private var resources: [Int] = []
  private var depth = 0

  /// Whether there are no steps left.
  var isSpent: Bool { remainingSteps <= 0 }

  /// Goes into a schema; whether that is in another resource, for `leave`. `nil` when it may not be
  /// gone into: `limit` says why.
  mutating func enter(_ schema: SchemaNode, steps: Int) -> Bool? {
    guard depth < Self.maximumDepth, remainingSteps > 0 else { return nil }
    depth += 1
    remainingSteps -= steps
    let isNewResource = resources.last != schema.resource
    if isNewResource { resources.append(schema.resource) }
    return isNewResource
  }

  /// Comes back from a schema.
  mutating func leave(resource isNewResource: Bool) {
    depth -= 1
    if isNewResource { resources.removeLast() }
  }

  /// Why no schema may be gone into any more.
  var limit: Explanation { isSpent ? .tooMuch : .tooDeep }

  /// The node that a `$dynamicRef` means here: the outermost one of that name on the way here.
  func target(_ anchor: String, or target: Int, in program: SchemaProgram) -> Int {
    for resource in resources {
      if let node = program.dynamicAnchors[resource][anchor] { return node }
    }
    return target
  }
}
