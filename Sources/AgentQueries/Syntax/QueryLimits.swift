/// The maximum size of a query.
public struct QueryLimits: Sendable, Hashable {
  /// The maximum length of the text in bytes.
  public let length: Int
  /// The maximum nesting of brackets, macros and operators.
  public let depth: Int
  /// The maximum number of nodes of a tree with expanded macros.
  public let nodes: Int

  /// Makes limits. The defaults suit queries of people and of programs.
  public init(length: Int = 65_536, depth: Int = 64, nodes: Int = 20_000) {
    self.length = length
    self.depth = depth
    self.nodes = nodes
  }
}
