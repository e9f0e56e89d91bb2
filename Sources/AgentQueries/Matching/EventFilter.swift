public import AgentJSON

/// A filter, ready to be asked about many events.
///
/// Text is compared whatever its case, numbers by their value, and of a list it is enough that
/// one element is as wanted.
public struct EventFilter: Sendable {
  /// What was written.
  public let tree: FilterTree
  /// The requirements that every passing event meets.
  public let requirements: FilterRequirements
  let program: FilterProgram

  /// Makes `tree` ready.
  public init(_ tree: FilterTree) {
    self.tree = tree
    requirements = FilterRequirements(tree)
    program = FilterProgram(tree)
  }

  /// Reads a filter that stands alone, without pipes.
  public init(parsing text: String, limits: QueryLimits = QueryLimits()) throws(QueryError) {
    let query = try Query(parsing: text, limits: limits)
    if let pipe = query.tree.pipes.first {
      throw query.error(.syntax, "only a filter is allowed here, without pipes.", at: pipe.range)
    }
    self.init(query.tree.filter)
  }

  /// Whether an event passes.
  public func matches(_ object: JSONObject) -> Bool { program.matches(object) }
}
