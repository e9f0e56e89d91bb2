internal import AgentJSON

extension JSONValue {
  /// An event may be as deep as a text from outside may be, and a notice has one inside.
  private static let storedLimits = JSONLimits(maxDepth: 512)

  /// Reads what the host has written itself.
  init(stored bytes: [UInt8]) throws(JSONParseError) {
    self = try JSONDocument(parsing: bytes, limits: Self.storedLimits).root.value
  }
}
