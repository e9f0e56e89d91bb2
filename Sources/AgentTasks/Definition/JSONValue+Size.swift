package import AgentJSON

extension JSONValue {
  /// Returns whether the value as JSON has more than about this number of bytes. It stops counting
  /// at the limit. Escapes aren't counted, and an empty array counts as one byte.
  func exceeds(_ bytes: Int) -> Bool {
    var left = bytes
    count(&left)
    return left < 0
  }

  private func count(_ left: inout Int) {
    guard left >= 0 else { return }
    switch self {
    // The two quotes are counted, but escapes aren't.
    case .string(let text): left -= text.utf8.count + 2
    case .array(let values):
      left -= values.count + 1
      for value in values where left >= 0 { value.count(&left) }
    case .object(let object):
      // Two braces; each member below counts a comma, and the last one has none.
      left -= object.isEmpty ? 2 : 1
      for (key, value) in object where left >= 0 {
        // The quotes of the key, a colon and a comma.
        left -= key.utf8.count + 4
        value.count(&left)
      }
    default: left -= 1
    }
  }
}

extension JSONObject {
  /// Returns the object for an event: members of more than 64 KiB are omitted, and `omitted` names
  /// them.
  ///
  /// Rationale: an event is copied for each subscriber and has its own limit. A task may have
  /// megabytes. Subscribers that need them can read the task.
  package func fitForEvent() -> JSONObject {
    let large = filter { $0.value.exceeds(TaskBounds.eventBytes) }.map(\.key)
    guard !large.isEmpty else { return self }
    var object = self
    for key in large { object[key] = nil }
    object["omitted"] = .array(large.map(JSONValue.string))
    return object
  }
}
