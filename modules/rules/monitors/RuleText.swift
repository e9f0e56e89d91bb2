import AgentKit

/// What a rule says of what it found.
struct RuleText: Sendable {
  let rule: RuleSettings

  /// The type of the first event that is published, whatever the row.
  var eventType: String {
    switch rule.kind {
    case .alert: rule.output?.eventType ?? "alert"
    case .message:
      rule.output?.room != nil
        ? Message.eventType : rule.output?.messageEvent?.eventType ?? Message.eventType
    case .annotation: Annotation.eventType
    }
  }

  /// The events to publish, and the columns that the templates name and the row doesn't have.
  func events(_ firing: RuleTable.Firing, at now: Int64) -> (
    text: String, events: [Event], unknown: [String]
  ) {
    let output = rule.output ?? Output()
    let title = rule.title?.render(firing.row)
    var text = rule.message.render(firing.row)
    let (state, since, suppressed): (Alert.State, Int64, Int) =
      switch firing.change {
      case .fires(let since, let suppressed): (.raised, since, suppressed)
      case .resolves(let since): (.resolved, since, 0)
      }
    if state == .resolved { text = resolved(text, firing: firing, since: since) }
    if suppressed > 0 { text.text += " (\(suppressed) more since the last time.)" }
    let unknown = (title?.unknown ?? []) + text.unknown
    switch rule.kind {
    case .alert:
      let alert = Alert(
        text.text, title: title?.text, severity: rule.severity, state: state, key: key(firing),
        since: since == firing.time ? nil : since, timestamp: firing.time,
        fields: fields(firing, suppressed))
      return (text.text, output.events(alert, at: now), unknown)
    case .message:
      let alert = Alert(text.text, title: title?.text)
      return (
        text.text, output.events(Message(alert.sentence, timestamp: firing.time), at: now), unknown
      )
    case .annotation:
      let alert = Alert(text.text, title: title?.text)
      let annotation = Annotation(
        alert.sentence, begin: since, end: state == .resolved ? firing.time : nil, uid: firing.uid,
        timestamp: firing.time, fields: fields(firing, suppressed))
      return (text.text, output.events(annotation, at: now), unknown)
    }
  }

  private func resolved(
    _ text: MessageTemplate.Rendered, firing: RuleTable.Firing, since: Int64
  ) -> MessageTemplate.Rendered {
    if let template = rule.resolvedMessage { return template.render(firing.row) }
    var text = text
    let length = CalendarMoment.duration(max(firing.time &- since, 0))
    text.text = "Over after \(length): \(text.text)"
    return text
  }

  /// The key of the alert: the rule, and the values of the columns that make the key.
  private func key(_ firing: RuleTable.Firing) -> String? {
    let values = firing.key.map { $0.string ?? $0.text() }
    let parts = (rule.name.isEmpty ? [] : [rule.name]) + values
    return parts.isEmpty ? nil : parts.joined(separator: "/")
  }

  /// The row is among the fields of what is published.
  private func fields(_ firing: RuleTable.Firing, _ suppressed: Int) -> JSONObject {
    var fields: JSONObject = ["row": .object(firing.row)]
    if !rule.name.isEmpty { fields["rule"] = .string(rule.name) }
    if suppressed > 0 { fields["suppressed"] = JSONValue(suppressed) }
    return fields
  }
}
