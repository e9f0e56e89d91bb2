public import AgentJSON

/// The message that a notifier delivers.
public struct Notice: Sendable, Hashable {
  /// The id, which is the same in all attempts to deliver the notice.
  public let id: String
  /// Why somebody is notified: `opened`, `escalated`, `repeated`, `resolved` or `test`.
  public let kind: String
  /// One line of text.
  public let title: String
  public let text: String
  public let severity: AlertSeverity
  /// The whole notice, as receivers get it.
  public let object: JSONObject

  /// Reads a stored notice. Absent members are empty.
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
