public import AgentJSON
public import AgentQueries

/// A rule that opens and ends alerts and names their notifiers.
public struct AlertRule: Sendable {
  /// A trigger that opens or ends an alert.
  public enum Trigger: Sendable {
    /// Events that pass a filter.
    case events(EventFilter)
    /// The rows of a query.
    case rows(QueryPlan)
  }

  /// How the severity of an alert is read from an event.
  public struct SeveritySource: Sendable {
    /// The minimum. A lower severity opens no alert.
    public var least = AlertSeverity.info
    /// The field that holds the severity.
    public var field = "severity"
    /// The severity for each value of the field.
    public var map: [String: AlertSeverity] = [:]
    /// The severity where the field is absent or unknown.
    public var fallback = AlertSeverity.warning

    /// The severity as alerts have it.
    public init() {}

    func severity(of event: JSONObject) -> AlertSeverity {
      guard let value = event.field(field) else { return fallback }
      let text = value.string ?? value.text()
      return map[text] ?? AlertSeverity(rawValue: text) ?? fallback
    }
  }

  /// Unique among the rules.
  public let name: String
  /// The trigger that opens an alert.
  public let when: Trigger
  /// The trigger that ends it.
  public var until: Trigger?
  public var severity = SeveritySource()
  /// The names of the notifiers.
  public var notifiers: [String] = []
  /// The fields whose values identify an alert of the rule.
  public var group = ["source", "key"]
  /// Milliseconds before the first notice.
  public var groupWait: Int64 = 0
  /// Milliseconds between repeated notices. Nil means that notices aren't repeated.
  public var repeatAfter: Int64?
  /// The hours in which notices are held back.
  public var quietHours: QuietHours?
  /// The template of a notice's title. Nil uses the event's own title.
  public var title: MessageTemplate?
  /// The template of a notice's text. Nil uses the event's own text.
  public var text: MessageTemplate?

  /// Makes a rule without notifiers.
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
