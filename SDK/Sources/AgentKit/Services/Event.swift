/// Something that happened: a type, a time, a source, and any fields.
public struct Event: Sendable, Hashable {
  /// The kind of the event; queries filter by it.
  public var type: String
  /// When it happened, in Unix milliseconds. `nil` until the host fills it in.
  public var timestamp: Int64?
  /// The process that published it. `nil` until the host fills it in.
  public var source: String?
  /// All other fields.
  public var fields: JSONObject

  /// Makes an event. Leave out `timestamp` and `source` to have the host fill them in.
  public init(
    _ type: String, timestamp: Int64? = nil, source: String? = nil, fields: JSONObject = [:]
  ) {
    self.type = type
    self.timestamp = timestamp
    self.source = source
    self.fields = fields
  }

  /// A field by its name, or by a path with dots into nested objects (`cpu.load`). A field whose
  /// own name contains the dots takes precedence.
  public subscript(path: String) -> JSONValue? { fields.field(path) }
}

extension Event {
  /// Reads an event from its JSON form. A missing `type` is an error; a `timestamp` or `source` of
  /// the wrong type counts as missing.
  public init(_ node: JSONNode) throws(ModuleError) {
    guard let type = node["type"]?.string else {
      throw ModuleError(.invalidArgument, "An event needs a \"type\".")
    }
    var fields = JSONObject()
    for member in node.members {
      switch member.key {
      case "type", "timestamp", "source": break
      default: fields[member.key] = member.value.value
      }
    }
    self.init(
      type, timestamp: node["timestamp"]?.int.map(Int64.init), source: node["source"]?.string,
      fields: fields)
  }

  /// The event's JSON form: `type`, `timestamp` and `source` beside the fields.
  public var json: JSONValue {
    var object: JSONObject = ["type": .string(type)]
    if let timestamp { object["timestamp"] = JSONValue(Int(timestamp)) }
    if let source { object["source"] = .string(source) }
    for (key, value) in fields where object[key] == nil {
      object[key] = value
    }
    return .object(object)
  }
}

/// Some events of a subscription, oldest first.
public struct EventBatch: Sendable, Hashable {
  /// The events.
  public var events: [Event]
  /// How many were lost since the last batch because the subscription's queue was full.
  public var dropped: UInt64

  /// Makes a batch.
  public init(events: [Event], dropped: UInt64 = 0) {
    self.events = events
    self.dropped = dropped
  }
}

/// The events that a query found, oldest first.
public struct EventResults: Sendable, Hashable {
  /// The events.
  public var events: [Event]
  /// True when there were more than the limit allowed; these are the newest.
  public var truncated: Bool

  /// Makes a result.
  public init(events: [Event], truncated: Bool = false) {
    self.events = events
    self.truncated = truncated
  }
}
