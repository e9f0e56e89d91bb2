public import AgentJSON

/// What a notifier delivers.
public struct Notice: Sendable, Hashable {
  /// Stays the same when the same notice is tried again.
  public let id: String
  /// Why somebody is notified: `opened`, `escalated`, `repeated`, `resolved` or `test`.
  public let kind: String
  /// One line.
  public let title: String
  /// The text.
  public let text: String
  /// How much it matters.
  public let severity: AlertSeverity
  /// All of it, as receivers get it.
  public let object: JSONObject

  /// Reads a notice as it is stored; what isn't there is empty.
  public init(_ object: JSONObject) {
    func text(_ key: String) -> String { object[key]?.string ?? "" }
    id = text("id")
    kind = text("kind")
    title = text("title")
    self.text = text("text")
    severity = AlertSeverity(rawValue: text("severity")) ?? .warning
    self.object = object
  }
}
