public import AgentJSON

/// A filter that is ready for many events.
///
/// Texts are compared without case, and numbers by value. A list matches if one element does.
public struct EventFilter: Sendable {
  public let tree: FilterTree
  /// The requirements that every passing event meets.
  public let requirements: FilterRequirements
  let program: FilterProgram

  /// Compiles `tree`.
  public init(_ tree: FilterTree) {
    self.tree = tree
    requirements = FilterRequirements(tree)
    program = FilterProgram(tree)
  }

  /// Parses a filter without pipes.
  public init(parsing text: String, limits: QueryLimits = QueryLimits()) throws(QueryError) {
    let query = try Query(parsing: text, limits: limits)
    if let pipe = query.tree.pipes.first {
      throw query.error(.syntax, "only a filter is allowed here, without pipes.", at: pipe.range)
    }
    self.init(query.tree.filter)
  }

  /// Returns whether an event matches.
  public func matches(_ object: JSONObject) -> Bool { program.matches(object) }
}
