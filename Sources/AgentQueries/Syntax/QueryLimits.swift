/// How large a query may be.
public struct QueryLimits: Sendable, Hashable {
  /// The longest text, in bytes.
  public let length: Int
  /// How deeply brackets, macros and operators may be nested.
  public let depth: Int
  /// The most nodes of a tree, macros expanded.
  public let nodes: Int

  /// The limits given, or those that suit a query written by hand or by a program.
  public init(length: Int = 65_536, depth: Int = 64, nodes: Int = 20_000) {
    self.length = length
    self.depth = depth
    self.nodes = nodes
  }
}
