public import AgentJSON

/// Something that happened: a JSON object with `type`, `timestamp`, `source` and any other fields.
public struct Event: Sendable, Hashable {
  /// The position in the bus: increases by one with each event that is taken in.
  public let position: UInt64
  /// What kind of event this is, such as `host_metrics`.
  public let type: String
  /// When it happened, in Unix milliseconds.
  public let timestamp: Int64
  /// The process that published it.
  public let source: String
  /// The whole object, `type`, `timestamp` and `source` included.
  public let object: JSONObject
  /// The object as JSON text, made once for all subscribers.
  public let encoded: [UInt8]

  public static func == (left: Event, right: Event) -> Bool { left.position == right.position }
  public func hash(into hasher: inout Hasher) { hasher.combine(position) }

  /// The value of a field; dots lead into nested objects where no member has the dotted name.
  public func field(_ path: String) -> JSONValue? {
    if let value = object[path] { return value }
    var value = JSONValue.object(object)
    for key in path.split(separator: ".", omittingEmptySubsequences: false) {
      guard let inner = value.object?[String(key)] else { return nil }
      value = inner
    }
    return value
  }
}

/// Why a value can't be published as an event.
public struct EventError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence for the module's author.
  public let message: String
  public var description: String { message }
}

extension Event {
  /// Checks an object and fills in what may be missing.
  ///
  /// `type` must be a string that isn't empty; `timestamp`, when given, an integer of Unix
  /// milliseconds; `source`, when given, a string.
  static func checked(
    _ object: JSONObject, position: UInt64, source: String, now: Int64
  ) throws(EventError) -> Event {
    guard let type = object["type"]?.string, !type.isEmpty else {
      throw EventError(
        message: "An event needs a \"type\": a string that isn't empty; found "
          + "\(object["type"]?.text() ?? "none").")
    }
    var complete = object
    let timestamp = try moment(of: object, now: now)
    if object["timestamp"] == nil { complete["timestamp"] = .number(JSONNumber(timestamp)) }
    let origin: String
    switch object["source"] {
    case .none:
      origin = source
      complete["source"] = .string(source)
    case .string(let given): origin = given
    case .some(let other):
      throw EventError(
        message: "An event's \"source\" is a string; \(type) has \(other.text()).")
    }
    return Event(
      position: position, type: type, timestamp: timestamp, source: origin, object: complete,
      encoded: JSONValue.object(complete).bytes())
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
