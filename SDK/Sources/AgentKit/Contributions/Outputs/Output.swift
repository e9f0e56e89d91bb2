/// Where a process publishes messages, and under which author: the settings object that
/// `agent:output` describes. Put one in your `Settings` and `{"$ref": "agent:output"}` in the
/// manifest.
///
/// Its keys mean the same as in Intelie's live-agent; docs/outputs.md says what is published.
public struct Output: Sendable, Hashable, Decodable {
  /// A name, with the chat's id where it is known.
  public struct Party: Sendable, Hashable {
    /// The id, as the settings have it: a text or a number.
    public var id: JSONValue?
    /// The name for people.
    public var name: String?

    /// Makes a party.
    public init(id: JSONValue? = nil, name: String? = nil) {
      self.id = id
      self.name = name
    }
  }

  /// A data channel that receives messages as its values.
  public struct MessageEvent: Sendable, Hashable {
    /// The type of its events.
    public var eventType: String
    /// The channel: the field that holds `{"value": …}`.
    public var mnemonic: String

    /// Makes a message event.
    public init(eventType: String, mnemonic: String) {
      self.eventType = eventType
      self.mnemonic = mnemonic
    }
  }

  /// The author of the messages.
  public var author: Party?
  /// The room of the messages; without one no chat message is published.
  public var room: Party?
  /// The dashboard that annotations belong to.
  public var dashboard: Party?
  /// The type of the alerts; `alert` or the process's own when `nil`.
  public var eventType: String?
  /// A data channel that receives messages in addition to the chat.
  public var messageEvent: MessageEvent?

  /// Makes an output.
  public init(
    author: Party? = nil, room: Party? = nil, dashboard: Party? = nil, eventType: String? = nil,
    messageEvent: MessageEvent? = nil
  ) {
    self.author = author
    self.room = room
    self.dashboard = dashboard
    self.eventType = eventType
    self.messageEvent = messageEvent
  }

  /// Reads the settings object.
  public init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    self.init(
      author: Party(json["author"]) { Party(name: $0) },
      room: Party(json["room"]) { Party(id: .string($0)) },
      dashboard: Party(json["dashboard"]) { Party(id: .string($0)) },
      eventType: json["event_type"]?.string,
      messageEvent: MessageEvent(json["message_event"]))
  }
}

extension Output.Party {
  /// Reads `{id, name}`, or a bare text that is one of the two.
  init?(_ json: JSONValue?, bare: (String) -> Self) {
    if let text = json?.string {
      self = bare(text)
    } else if let object = json?.object {
      self.init(id: object["id"], name: object["name"]?.string)
    } else {
      return nil
    }
  }

  var json: JSONValue {
    var object = JSONObject()
    object["id"] = id
    object["name"] = name.map(JSONValue.string)
    return .object(object)
  }
}

extension Output.MessageEvent {
  init?(_ json: JSONValue?) {
    guard let type = json?["event_type"]?.string, let mnemonic = json?["mnemonic"]?.string else {
      return nil
    }
    self.init(eventType: type, mnemonic: mnemonic)
  }
}
