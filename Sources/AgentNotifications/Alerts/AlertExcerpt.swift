internal import AgentJSON
internal import AgentText

/// What is kept and told of an event that raises or ends an alert: all of it, unless it is large.
///
/// Rationale: an event may have megabytes, and an alert keeps one for each of its notices.
enum AlertExcerpt {
  /// The most bytes of JSON that are kept of an event.
  static let mostBytes = 16 << 10
  /// The most bytes of a title, a text or a note.
  static let mostTextBytes = 4 << 10

  /// The event, or as many of its texts, numbers and flags as fit, in its order.
  static func of(_ event: JSONObject) -> JSONObject {
    guard JSONValue.object(event).bytes().count > mostBytes else { return event }
    var excerpt = JSONObject()
    var room = mostBytes
    for (key, value) in event {
      guard key.utf8.count <= mostTextBytes, let kept = scalar(value) else { continue }
      // With quotes, colon and comma; a text may need escapes.
      let bytes = JSONValue.string(key).bytes().count + kept.bytes().count + 2
      guard bytes <= room else { continue }
      room -= bytes
      excerpt[key] = kept
    }
    return excerpt
  }

  private static func scalar(_ value: JSONValue) -> JSONValue? {
    if let string = value.string { return .string(text(string)) }
    return value.array == nil && value.object == nil ? value : nil
  }

  /// A text, cut where it is longer than is kept.
  static func text(_ text: String) -> String { text.cut(toBytes: mostTextBytes) }
}
