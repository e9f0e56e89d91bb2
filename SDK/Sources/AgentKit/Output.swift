/// Where a process says something and in whose name: the settings object that `agent:output`
/// describes. Put one in your `Settings` and `{"$ref": "agent:output"}` in the manifest.
public struct Output: Sendable, Hashable, Decodable {
  /// A name, and an id where the chat knows one.
  public struct Party: Sendable, Hashable {
    /// The id.
    public var id: String?
    /// The name for people.
    public var name: String?

    /// Makes one.
    public init(id: String? = nil, name: String? = nil) {
      self.id = id
      self.name = name
    }
  }

  /// Who speaks.
  public var author: Party?
  /// Where it is said; without a room no chat message is written.
  public var room: Party?
  /// The type of the events that are published; the process's own choice when `nil`.
  public var eventType: String?
  /// The type of the events that carry chat messages.
  public var messageEvent: String

  /// Makes an output.
  public init(
    author: Party? = nil, room: Party? = nil, eventType: String? = nil,
    messageEvent: String = "__message"
  ) {
    self.author = author
    self.room = room
    self.eventType = eventType
    self.messageEvent = messageEvent
  }

  /// Reads the settings object.
  public init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    self.init(
      author: Party(json["author"], text: \.name), room: Party(json["room"], text: \.id),
      eventType: json["event_type"]?.string,
      messageEvent: json["message_event"]?.string ?? "__message")
  }

  /// What to publish to say `text`: an event of ``eventType`` (or `type`) with the text and these
  /// fields, and a chat message where there is a room.
  public func events(_ text: String, type: String, fields: JSONObject = [:]) -> [Event] {
    var said: JSONObject = ["text": .string(text)]
    said["author"] = author?.json
    said["room"] = room?.json
    var alert = fields
    for (key, value) in said { alert[key] = value }
    let event = Event(eventType ?? type, fields: alert)
    return room == nil ? [event] : [event, Event(messageEvent, fields: said)]
  }
}

extension Output.Party {
  /// Reads `{id, name}`, or a bare text that stands for one of the two.
  init?(_ json: JSONValue?, text: WritableKeyPath<Output.Party, String?>) {
    self.init()
    if let bare = json?.string {
      self[keyPath: text] = bare
    } else if let object = json?.object {
      id = object["id"].map { $0.string ?? $0.text() }
      name = object["name"]?.string
    } else {
      return nil
    }
  }

  var json: JSONValue {
    var object = JSONObject()
    object["id"] = id.map(JSONValue.string)
    object["name"] = name.map(JSONValue.string)
    return .object(object)
  }
}
