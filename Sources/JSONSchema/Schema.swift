public import AgentJSON

/// A JSON Schema, compiled once, to check any number of values from any thread.
///
/// Drafts 2020-12, 2019-09, 7, 6 and 4, as `$schema` says; without one as the options say.
public struct Schema: Sendable {
  let program: SchemaProgram
  private let fast: FastProgram?

  /// How many errors are told of a value, unless somebody asks for more: more than a person reads.
  public static let mostFailures = 100

  /// Compiles `document`. What it refers to must be inside it or in `registry`.
  ///
  /// Throws every fault of the schema at once. Keywords that aren't known are ignored, as the
  /// standard wants it.
  public init(
    _ document: JSONValue, registry: SchemaRegistry = SchemaRegistry(),
    options: SchemaOptions = SchemaOptions()
  ) throws(SchemaError) {
    var compiler = SchemaCompiler(document, registry: registry, options: options)
    program = try compiler.compile()
    fast = FastLowering.lower(program)
  }

  /// Everything about `node` that doesn't fit, and what it uses that is deprecated (as warnings),
  /// in the order of the document; pointers start at `node`.
  ///
  /// Where `ignoring` returns true, a value is accepted without a look: for values that are only
  /// known later. A key that may not be there is a failure even so. `ignoring` may be called more than once for a value.
  ///
  /// - Parameter limit: how many errors, and how many warnings, are told; the check stops there, and
  ///   a last error says that there are more. So the time that it takes grows with the value, not
  ///   with the square of what is wrong with it.
  public func validate(
    _ node: JSONNode, limit: Int = mostFailures, ignoring: ((JSONNode) -> Bool)? = nil
  ) -> [SchemaFailure] {
    // Of what fits there is nothing to tell, unless it may use something deprecated.
    if ignoring == nil, !program.warns, fast?.verdict(node) == true { return [] }
    var evaluation = Evaluation(
      program, collects: true, limit: max(1, limit), ignoring: ignoring)
    _ = evaluation.run(0, node)
    return evaluation.report(on: node)
  }

  /// Everything about `value` that doesn't fit; the ranges are those of its compact text.
  public func validate(_ value: JSONValue, limit: Int = mostFailures) -> [SchemaFailure] {
    validate(JSONDocument(value).root, limit: limit)
  }

  /// Whether `node` fits. Stops at the first thing that doesn't, and ignores deprecation.
  public func isValid(_ node: JSONNode, ignoring: ((JSONNode) -> Bool)? = nil) -> Bool {
    if ignoring == nil, let verdict = fast?.verdict(node) { return verdict }
    var evaluation = Evaluation(program, collects: false, ignoring: ignoring)
    return evaluation.run(0, node)
  }

  /// Whether `value` fits.
  public func isValid(_ value: JSONValue) -> Bool {
    isValid(JSONDocument(value).root)
  }
}
