internal import AgentJSON
internal import AgentStore

/// How an alert reads in a notice.
struct NoticeText {
  let title: String
  let text: String

  /// - Parameters:
  ///   - rule: whose templates are used; nil for what the event says itself.
  ///   - event: what raised the alert last.
  init(_ rule: AlertRule?, _ event: JSONObject, of alert: AlertRow, link: String?) {
    let fields = Self.fields(event, of: alert, link: link)
    title = rule?.title?.render(fields).text ?? Self.title(event, of: alert)
    text = rule?.text?.render(fields).text ?? Self.text(event)
  }

  /// What a template can name: the event's fields, the alert, and five words that are there for
  /// every kind of event as far as it says anything of them.
  private static func fields(
    _ event: JSONObject, of alert: AlertRow, link: String?
  ) -> JSONObject {
    var fields = event
    func offer(_ name: String, _ value: JSONValue?) {
      if fields[name] == nil, let value { fields[name] = value }
    }
    let moment = CalendarMoment(event["timestamp"]?.int.map { Int64($0) } ?? alert.updated)
    offer("process", event["source"])
    offer("error", event["reason"] ?? event["text"] ?? event["message"])
    offer("time", .string("\(moment.date) \(moment.time) UTC"))
    offer("link", link.map { .string($0) })
    fields["alert"] = .object(alert.summary)
    return fields
  }

  private static func title(_ event: JSONObject, of alert: AlertRow) -> String {
    if let title = event["title"]?.string, !title.isEmpty { return title }
    let type = event["type"]?.string ?? alert.rule
    guard let subject = event["process"]?.string ?? event["source"]?.string else { return type }
    return "\(type): \(subject)"
  }

  /// What the event says of itself, or all that it has.
  private static func text(_ event: JSONObject) -> String {
    for name in ["text", "error", "reason", "message"] {
      if let text = event[name]?.string, !text.isEmpty { return text }
    }
    var rest = event
    for name in ["type", "timestamp", "source"] { rest[name] = nil }
    return rest.isEmpty ? "" : JSONValue.object(rest).text()
  }
}

extension AlertRow {
  /// The alert as lists, notices and templates have it.
  var summary: JSONObject {
    var object: JSONObject = [
      "id": JSONValue(id), "rule": .string(rule), "state": .string(state.rawValue),
      "severity": .string(severity), "title": .string(title), "text": .string(text),
      "count": JSONValue(count), "opened": JSONValue(opened), "updated": JSONValue(updated),
    ]
    for (key, moment) in [("notified", notified), ("due", due), ("closed", closed)] {
      object[key] = moment.map { JSONValue($0) }
    }
    return object
  }
}
