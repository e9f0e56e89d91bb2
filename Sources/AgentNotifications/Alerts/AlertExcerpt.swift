internal import AgentJSON
internal import AgentText

/// The part of an event that an alert stores and its notices contain. It is the whole event unless
/// that is large.
///
/// Rationale: an event may have megabytes, and an alert stores one for each of its notices.
enum AlertExcerpt {
  /// The maximum size of a stored event, in bytes of JSON.
  static let maxBytes = 16 << 10
  /// The maximum length of a title, a text or a note, in bytes.
  static let maxTextBytes = 4 << 10

  /// The event, or as many of its texts, numbers and flags as fit, in its order.
  static func of(_ event: JSONObject) -> JSONObject {
    guard JSONValue.object(event).bytes().count > maxBytes else { return event }
    var excerpt = JSONObject()
    var space = maxBytes
    for (key, value) in event {
      guard key.utf8.count <= maxTextBytes, let kept = scalar(value) else { continue }
      // With quotes, colon and comma; a text may need escapes.
      let bytes = JSONValue.string(key).bytes().count + kept.bytes().count + 2
      guard bytes <= space else { continue }
      space -= bytes
      excerpt[key] = kept
    }
    return excerpt
  }

  private static func scalar(_ value: JSONValue) -> JSONValue? {
    if let string = value.string { return .string(text(string)) }
    return value.array == nil && value.object == nil ? value : nil
  }

  /// The text, cut to ``maxTextBytes``.
  static func text(_ text: String) -> String { text.cut(toBytes: maxTextBytes) }
}
