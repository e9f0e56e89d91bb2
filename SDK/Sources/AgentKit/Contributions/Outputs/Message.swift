/// A message in a chat room: an event `__message` with the fields of Intelie LIVE's messenger.
public struct Message: Sendable, Hashable {
  /// The type of the events.
  public static let eventType = "__message"

  /// The text of the message.
  public var text: String
  /// The author of the message; the output's author when `nil`.
  public var author: Output.Party?
  /// The room; the output's room when `nil`.
  public var room: Output.Party?
  /// Identifies this message.
  public var uid: String
  /// When it was written, in Unix milliseconds; now when `nil`.
  public var timestamp: Int64?

  /// Makes a message.
  public init(
    _ text: String, author: Output.Party? = nil, room: Output.Party? = nil,
    uid: String = EventID.random(), timestamp: Int64? = nil
  ) {
    self.text = text
    self.author = author
    self.room = room
    self.uid = uid
    self.timestamp = timestamp
  }

  /// The message as an event. The output gives the room and the author where the message has none.
  public func event(_ output: Output = Output(), at now: Int64) -> Event {
    let time = timestamp ?? now
    var fields: JSONObject = [
      "uid": .string(uid), "createdAt": JSONValue(time), "message": .string(text),
    ]
    fields["author"] = (author ?? output.author)?.json
    fields["room"] = (room ?? output.room)?.json
    return Event(Self.eventType, timestamp: time, fields: fields)
  }
}

/// Makes identifiers for events.
public enum EventID {
  /// A random identifier: 128 bits in the form of a UUID of version 4 (RFC 9562).
  public static func random() -> String {
    var random = SystemRandomNumberGenerator()
    let words: [UInt64] = [random.next(), random.next()]
    let high = (words[0] & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
    let low = (words[1] & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    let digits = [high, low].map { number in
      let text = String(number, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var text = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text.append("-") }
      text.append(digit)
    }
    return text
  }
}
