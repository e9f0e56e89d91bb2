internal import AgentJSON
internal import AgentStore

/// A checked and complete event without a position.
struct EventDraft: Sendable {
  let type: String
  let timestamp: Int64
  let source: String
  let object: JSONObject
  /// The object as JSON text in UTF-8. Nil means that it wasn't needed yet.
  private(set) var encoded: [UInt8]?
  let modifiers: EventModifiers

  /// Checks an object and fills in missing members.
  ///
  /// `type` must be a string of 1 to 256 bytes without control characters. `timestamp` must be an
  /// integer of Unix milliseconds if it is given, and `source` a string without control characters.
  /// Throws `invalid` otherwise.
  init(checking object: JSONObject, source: String, now: Int64) throws(EventError) {
    guard let type = object["type"]?.string, !type.isEmpty else {
      throw EventError(
        message: "An event needs a \"type\": a string that isn't empty; found "
          + "\(object["type"]?.text() ?? "none").")
    }
    try Self.check(type)
    modifiers = try EventModifiers(of: object, type: type)
    var complete = object
    timestamp = try Self.moment(of: object, now: now)
    if object["timestamp"] == nil { complete["timestamp"] = .number(JSONNumber(timestamp)) }
    switch object["source"] {
    case .none:
      self.source = source
      complete["source"] = .string(source)
    case .string(let given):
      try Self.check(given, named: "source")
      self.source = given
    case .some(let other):
      throw EventError(
        message: "An event's \"source\" is a string; \(type) has \(other.text()).")
    }
    self.type = type
    self.object = complete
  }

  /// Reads a stored event. Nil means that its text isn't an object, so the log is damaged.
  init?(_ stored: StoredEvent) {
    guard let document = try? JSONDocument(parsing: stored.body, limits: Self.storedLimits),
      let object = document.root.value.object
    else { return nil }
    type = stored.type
    timestamp = stored.timestamp
    source = stored.source
    self.object = object
    encoded = stored.body
    // A stored event is never refused. Otherwise its readers would lose it.
    modifiers = (try? EventModifiers(of: object, type: stored.type)) ?? EventModifiers()
  }

  /// The limits for stored events. They are larger than those for new events, so that every stored
  /// event stays readable at any depth.
  static let storedLimits = JSONLimits(maxDepth: 512, maxBytes: 512 << 20)

  /// The maximum length of the name of a type.
  private static let maxTypeBytes = 256

  private static func check(_ type: String) throws(EventError) {
    guard type.utf8.count <= maxTypeBytes else {
      throw EventError(
        message: "An event's \"type\" has at most \(maxTypeBytes) bytes; found \(type.utf8.count).")
    }
    try check(type, named: "type")
  }

  private static func check(_ text: String, named member: String) throws(EventError) {
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw EventError(message: "An event's \"\(member)\" has no control characters; found one.")
    }
  }

  /// Returns the row to store.
  mutating func row() -> NewEvent {
    NewEvent(
      type: type, timestamp: timestamp, source: source, body: encode(),
      overwriteKey: modifiers.overwriteKey)
  }

  /// Returns the object as JSON text in UTF-8. It is made at the first call.
  mutating func encode() -> [UInt8] {
    let text = encoded ?? JSONValue.object(object).bytes()
    encoded = text
    return text
  }

  private static func moment(of object: JSONObject, now: Int64) throws(EventError) -> Int64 {
    guard let value = object["timestamp"] else { return now }
    guard let timestamp = value.int else {
      throw EventError(
        message: "An event's \"timestamp\" is an integer, Unix milliseconds; found "
          + "\(value.text()).")
    }
    return Int64(timestamp)
  }
}
