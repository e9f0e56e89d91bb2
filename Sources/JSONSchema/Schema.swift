public import AgentJSON

/// A JSON Schema. It is compiled once and checks any number of values, from any thread.
///
/// It supports drafts 2020-12, 2019-09, 7, 6 and 4. `$schema` says which; without it the options
/// do.
public struct Schema: Sendable {
  let program: SchemaProgram
  private let fast: FastProgram?

  /// The most errors that `validate` reports of a value by default. A person reads no more.
  public static let maxFailures = 100

  /// Compiles `document`. Every target of its references must be inside it or in `registry`.
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

  /// The failures of `node`, and warnings for deprecated parts that it uses, in the order of the
  /// document. Pointers start at `node`.
  ///
  /// A value for which `ignoring` returns true is accepted without a look, because it is only known
  /// later. A key that may not be there is a failure even so. `ignoring` may be called more than
  /// once for a value.
  ///
  /// - Parameter limit: the most errors, and the most warnings. The check stops there, and a last
  ///   error says that there are more. The time grows with the size of the value, and not with the
  ///   square of its failures.
  public func validate(
    _ node: JSONNode, limit: Int = maxFailures, ignoring: ((JSONNode) -> Bool)? = nil
  ) -> [SchemaFailure] {
    // The fast program decides first, because most values fit. It knows nothing of deprecation.
    if ignoring == nil, !program.warns, fast?.verdict(node) == true { return [] }
    var evaluation = Evaluation(
      program, collects: true, limit: max(1, limit), ignoring: ignoring)
    _ = evaluation.run(0, node)
    return evaluation.report(on: node)
  }

  /// The failures of `value`. Ranges are those of its compact text.
  public func validate(_ value: JSONValue, limit: Int = maxFailures) -> [SchemaFailure] {
    validate(JSONDocument(value).root, limit: limit)
  }

  /// Whether `node` fits. Stops at the first thing that doesn't, and ignores deprecation.
  public func isValid(_ node: JSONNode, ignoring: ((JSONNode) -> Bool)? = nil) -> Bool {
    // The fast program can't ignore values.
    if ignoring == nil, let verdict = fast?.verdict(node) { return verdict }
    var evaluation = Evaluation(program, collects: false, ignoring: ignoring)
    return evaluation.run(0, node)
  }

  /// Whether `value` fits.
  public func isValid(_ value: JSONValue) -> Bool {
    isValid(JSONDocument(value).root)
  }
}
