public import AgentJSON

/// The metrics of one step of a query.
public struct StageFigures: Sendable, Hashable {
  /// What the step does: `filter`, `window`, `sort`…
  public let name: String
  /// Rows that came in.
  public var rowsIn: UInt64 = 0
  /// Rows that went out.
  public var rowsOut: UInt64 = 0
  /// Groups held.
  public var groups = 0
  /// Panes held, of all groups.
  public var panes = 0
  /// About how many bytes it holds.
  public var bytes = 0

  init(name: String) {
    self.name = name
  }

  /// The figures as an object.
  public var json: JSONObject {
    [
      "stage": .string(name), "rowsIn": JSONValue(rowsIn), "rowsOut": JSONValue(rowsOut),
      "groups": JSONValue(groups), "panes": JSONValue(panes), "bytes": JSONValue(bytes),
    ]
  }
}
