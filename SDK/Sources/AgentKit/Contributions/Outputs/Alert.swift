/// Something that people should know about, or that is over.
///
/// ```swift
/// let alert = Alert("High water: 3.2 m.", severity: .critical, fields: ["height": 3.2])
/// try await host.events.publish(alert, to: settings.output)
/// ```
public struct Alert: Sendable, Hashable {
  /// Whether it begins or ends.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// The condition holds, from now on or again.
    case raised
    /// The condition is over.
    case resolved
  }

  /// The message for people.
  public var text: String
  /// One line for lists and subjects.
  public var title: String?
  /// How much it matters.
  public var severity: Severity
  /// Whether it begins or ends.
  public var state: State
  /// Identifies the subject. The alert that resolves another has the same key.
  public var key: String?
  /// When it began, in Unix milliseconds; the time of the event when `nil`.
  public var since: Int64?
  /// When it was found, in Unix milliseconds; now when `nil`.
  public var timestamp: Int64?
  /// The numbers behind the alert, and any further fields. The alert's own fields take precedence
  /// over fields of the same name.
  public var fields: JSONObject

  /// Makes an alert.
  public init(
    _ text: String, title: String? = nil, severity: Severity = .warning, state: State = .raised,
    key: String? = nil, since: Int64? = nil, timestamp: Int64? = nil, fields: JSONObject = [:]
  ) {
    self.text = text
    self.title = title
    self.severity = severity
    self.state = state
    self.key = key
    self.since = since
    self.timestamp = timestamp
    self.fields = fields
  }

  /// The text for a chat: the title in front of the message.
  public var sentence: String {
    guard let title, !title.isEmpty else { return text }
    return text.isEmpty ? title : "\(title): \(text)"
  }

  /// The alert as an event, with the output's author as its author.
  public func event(_ output: Output = Output(), at now: Int64) -> Event {
    var fields = fields
    fields["state"] = .string(state.rawValue)
    fields["severity"] = .string(severity.rawValue)
    fields["title"] = title.map(JSONValue.string)
    fields["text"] = .string(text)
    fields["key"] = key.map(JSONValue.string)
    fields["since"] = since.map { JSONValue($0) }
    fields["author"] = output.author?.json
    fields["room"] = output.room?.json
    return Event(output.eventType ?? "alert", timestamp: timestamp ?? now, fields: fields)
  }
}
