public import AgentJSON

/// A JSON Schema. It is compiled once and checks any number of values, on any thread.
///
/// It supports drafts 2020-12, 2019-09, 7, 6 and 4. `$schema` selects one. Without it, the options
/// do.
public struct Schema: Sendable {
  let program: SchemaProgram
  private let fast: FastProgram?

  /// The default for the largest number of errors that `validate` reports. People don't read more.
  public static let maxFailures = 100

  /// Compiles `document`. Every target of its references must be in it or in `registry`. Unknown
  /// keywords are ignored, as the standard requires.
  /// - Throws: all faults of the schema at once.
  public init(
    _ document: JSONValue, registry: SchemaRegistry = SchemaRegistry(),
    options: SchemaOptions = SchemaOptions()
  ) throws(SchemaError) {
    var compiler = SchemaCompiler(document, registry: registry, options: options)
    program = try compiler.compile()
    fast = FastLowering.lower(program)
  }

  /// Returns the failures of `node`, and warnings for its deprecated parts, in the order of the
  /// document. Pointers start at `node`.
  ///
  /// A value for which `ignoring` returns true is accepted without a check, because it is only
  /// known later. A forbidden key is a failure even then. `ignoring` may be called more than once
  /// for a value.
  ///
  /// - Parameter limit: the largest number of errors, and of warnings. The check then stops, and a
  ///   last error says that there are more. The time grows with the size of the value, and not with
  ///   the square of its failures.
  public func validate(
    _ node: JSONNode, limit: Int = maxFailures, ignoring: ((JSONNode) -> Bool)? = nil
  ) -> [SchemaFailure] {
    // The fast program decides first, because most values match. It doesn't know deprecation.
    if ignoring == nil, !program.warns, fast?.verdict(node) == true { return [] }
    var evaluation = Evaluation(
      program, collects: true, limit: max(1, limit), ignoring: ignoring)
    _ = evaluation.run(0, node)
    return evaluation.report(on: node)
  }

  /// Returns the failures of `value`. Ranges are those of its compact text.
  public func validate(_ value: JSONValue, limit: Int = maxFailures) -> [SchemaFailure] {
    validate(JSONDocument(value).root, limit: limit)
  }

  /// Returns whether `node` matches. It stops at the first failure and ignores deprecation.
  public func isValid(_ node: JSONNode, ignoring: ((JSONNode) -> Bool)? = nil) -> Bool {
    // The fast program can't ignore values.
    if ignoring == nil, let verdict = fast?.verdict(node) { return verdict }
    var evaluation = Evaluation(program, collects: false, ignoring: ignoring)
    return evaluation.run(0, node)
  }

  /// Returns whether `value` matches.
  public func isValid(_ value: JSONValue) -> Bool {
    isValid(JSONDocument(value).root)
  }
}
