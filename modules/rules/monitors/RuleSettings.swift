import AgentKit

/// What is published when a rule fires.
enum RuleKind: String, Decodable, Sendable {
  case alert, message, annotation
}

/// One rule: a query, a condition over its rows, and what is said when a row meets it.
struct RuleSettings: Decodable, Sendable {
  var name: String
  var query: String
  var span: String
  var condition: String?
  var by: [String]
  var title: MessageTemplate?
  var message: MessageTemplate
  var resolvedMessage: MessageTemplate?
  var severity: Severity
  var kind: RuleKind
  var patience: Int64
  var cooldown: Int64
  var resolves: Bool
  var silence: Int64
  var output: Output?

  enum CodingKeys: String, CodingKey {
    case name, query, span, condition, by, title, message, severity, kind, output
    case resolvedMessage = "resolved_message"
    case patience = "for_seconds"
    case cooldown = "cooldown_seconds"
    case resolves = "resolve"
    case silence = "silence_seconds"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func template(_ key: CodingKeys) throws -> MessageTemplate? {
      guard let text = try values.decodeIfPresent(String.self, forKey: key) else { return nil }
      do {
        return try MessageTemplate(parsing: text)
      } catch {
        throw ModuleError(.invalidSettings, "\(key.rawValue): \(error.message)")
      }
    }
    func milliseconds(_ key: CodingKeys, or seconds: Int) throws -> Int64 {
      // A larger value is as good as for ever.
      Int64(min(try values.decodeIfPresent(Int.self, forKey: key) ?? seconds, 1 << 40)) * 1000
    }
    name = try values.decodeIfPresent(String.self, forKey: .name) ?? ""
    query = try values.decode(String.self, forKey: .query)
    span = try values.decodeIfPresent(String.self, forKey: .span) ?? "now"
    condition = try values.decodeIfPresent(String.self, forKey: .condition)
    by = try values.decodeIfPresent([String].self, forKey: .by) ?? []
    title = try template(.title)
    guard let message = try template(.message) else {
      throw ModuleError(.invalidSettings, "message: write the text of the message.")
    }
    self.message = message
    resolvedMessage = try template(.resolvedMessage)
    severity = try values.decodeIfPresent(Severity.self, forKey: .severity) ?? .warning
    kind = try values.decodeIfPresent(RuleKind.self, forKey: .kind) ?? .alert
    patience = try milliseconds(.patience, or: 0)
    cooldown = try milliseconds(.cooldown, or: 300)
    resolves = try values.decodeIfPresent(Bool.self, forKey: .resolves) ?? false
    silence = try milliseconds(.silence, or: 0)
    output = try values.decodeIfPresent(Output.self, forKey: .output)
  }
}

/// A process of rules: one whose keys stand in the process itself, or a list of them.
struct RuleProcessSettings: Decodable, Sendable {
  var rules: [RuleSettings]

  enum CodingKeys: String, CodingKey {
    case rules, output
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard var rules = try values.decodeIfPresent([RuleSettings].self, forKey: .rules) else {
      self.rules = [try RuleSettings(from: decoder)]
      try check()
      return
    }
    let output = try values.decodeIfPresent(Output.self, forKey: .output)
    for place in rules.indices {
      if rules[place].output == nil { rules[place].output = output }
      if rules[place].name.isEmpty { rules[place].name = "rule \(place + 1)" }
    }
    self.rules = rules
    try check()
  }

  private func check() throws {
    for rule in rules where rule.kind == .message {
      guard rule.output?.room == nil, rule.output?.messageEvent == nil else { continue }
      let place = rule.name.isEmpty ? "" : "\(rule.name): "
      throw ModuleError(
        .invalidSettings,
        "\(place)a message needs output.room or output.message_event; nobody would receive it.")
    }
  }
}
