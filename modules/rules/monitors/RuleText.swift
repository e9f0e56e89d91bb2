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

  /// A firing as its rule words it.
  struct Rendered {
    let text: String
    /// The events to publish.
    let events: [Event]
    /// The columns that the templates name and the row doesn't have.
    let unknown: [String]
  }

  /// The events to publish for a firing.
  func events(_ firing: RuleTable.Firing, at now: Int64) -> Rendered {
    let output = rule.output ?? Output()
    let title = rule.title?.render(firing.row)
    var text = rule.message.render(firing.row)
    let state: Alert.State = firing.change.isOver ? .resolved : .raised
    let since = firing.change.since
    let suppressed = firing.change.suppressed
    if state == .resolved { text = resolved(text, firing: firing, since: since) }
    if suppressed > 0 { text.text += " (\(suppressed) more since the last time.)" }
    let unknown = (title?.unknown ?? []) + text.unknown
    switch rule.kind {
    case .alert:
      let alert = Alert(
        text.text, title: title?.text, severity: rule.severity, state: state, key: key(firing),
        since: since == firing.time ? nil : since, timestamp: firing.time,
        fields: fields(firing, suppressed))
      return Rendered(
        text: text.text, events: output.events(alert, at: now), unknown: unknown)
    case .message:
      let alert = Alert(text.text, title: title?.text)
      let message = Message(alert.sentence, timestamp: firing.time)
      return Rendered(
        text: text.text, events: output.events(message, at: now), unknown: unknown)
    case .annotation:
      let alert = Alert(text.text, title: title?.text)
      let annotation = Annotation(
        alert.sentence, begin: since, end: state == .resolved ? firing.time : nil, uid: firing.uid,
        timestamp: firing.time, fields: fields(firing, suppressed))
      return Rendered(
        text: text.text, events: output.events(annotation, at: now), unknown: unknown)
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
