public import AgentJSON
public import AgentQueries

/// What opens an alert, what ends it, and who is told.
public struct AlertRule: Sendable {
  /// What opens or ends an alert.
  public enum Trigger: Sendable {
    /// Events that pass a filter.
    case events(EventFilter)
    /// Rows that a query says.
    case rows(QueryPlan)
  }

  /// Where the severity of an alert is found.
  public struct SeveritySource: Sendable {
    /// What is less opens no alert.
    public var least = AlertSeverity.info
    /// The field that has it.
    public var field = "severity"
    /// What the field's values stand for.
    public var map: [String: AlertSeverity] = [:]
    /// Where the field says nothing.
    public var fallback = AlertSeverity.warning

    /// The severity as alerts have it.
    public init() {}

    func severity(of event: JSONObject) -> AlertSeverity {
      guard let value = event.field(field) else { return fallback }
      let text = value.string ?? value.text()
      return map[text] ?? AlertSeverity(rawValue: text) ?? fallback
    }
  }

  /// Its name, unique among the rules.
  public let name: String
  /// What opens an alert.
  public let when: Trigger
  /// What ends it.
  public var until: Trigger?
  /// Where the severity is found.
  public var severity = SeveritySource()
  /// The notifiers that are told.
  public var notifiers: [String] = []
  /// The fields that make two of a rule one.
  public var group = ["source", "key"]
  /// Milliseconds before the first notice.
  public var groupWait: Int64 = 0
  /// Milliseconds after which it is told again; nil for never.
  public var repeatAfter: Int64?
  /// When nobody is disturbed.
  public var quietHours: QuietHours?
  /// How the title of a notice reads, where the event's own isn't wanted.
  public var title: MessageTemplate?
  /// How the text of a notice reads, where the event's own isn't wanted.
  public var text: MessageTemplate?

  /// A rule that tells nobody yet.
  public init(name: String, when: Trigger) {
    self.name = name
    self.when = when
  }

  var policy: AlertStateMachine.Policy {
    AlertStateMachine.Policy(groupWait: groupWait, repeatAfter: repeatAfter, quiet: quietHours)
  }

  // MARK: Which alert an event is about

  /// What makes two of the rule the same: the values of its fields, as JSON text.
  func key(of event: JSONObject) -> String { Self.values(of: group, in: event) }

  /// What an alert and what ends it share. The type isn't among it: what ends something is of
  /// another.
  func topic(of event: JSONObject) -> String {
    Self.values(of: group.filter { $0 != "type" }, in: event)
  }

  private static func values(of fields: [String], in event: JSONObject) -> String {
    JSONValue.array(fields.map { event.field($0) ?? .null }).text()
  }
}

extension AlertRule.Trigger {
  /// Whether it is about events and this is one of them.
  func matches(_ event: JSONObject) -> Bool {
    if case .events(let filter) = self { filter.matches(event) } else { false }
  }
}
