internal import AgentJSON

extension JSONValue {
  /// What a body may have is wrapped before it is stored, so that what is stored is deeper than
  /// what came in. Nobody but the host writes it.
  private static let storedLimits = JSONLimits(maximumDepth: 512)

  /// Reads what the host has written itself, or nil.
  init?(stored bytes: [UInt8]) {
    guard let document = try? JSONDocument(parsing: bytes, limits: Self.storedLimits) else {
      return nil
    }
    self = document.root.value
  }
}
