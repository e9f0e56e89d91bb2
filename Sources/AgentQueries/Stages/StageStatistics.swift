public import AgentJSON

/// The metrics of one step of a query.
public struct StageStatistics: Sendable, Hashable {
  /// The kind of the step: `filter`, `window`, `sort`…
  public let name: String
  public var rowsIn: UInt64 = 0
  public var rowsOut: UInt64 = 0
  /// The number of groups.
  public var groups = 0
  /// The number of panes of all groups.
  public var panes = 0
  /// The approximate number of bytes in memory.
  public var bytes = 0

  init(name: String) {
    self.name = name
  }

  /// The metrics as an object.
  public var json: JSONObject {
    [
      "stage": .string(name), "rowsIn": JSONValue(rowsIn), "rowsOut": JSONValue(rowsOut),
      "groups": JSONValue(groups), "panes": JSONValue(panes), "bytes": JSONValue(bytes),
    ]
  }
}
