/// A bot: who may be given tasks.
public struct BotRow: Sendable, Hashable {
  /// Its id.
  public let id: String
  /// What was said of it when it was registered: JSON.
  public var definition: [UInt8]
  /// What it goes through, in a word of who keeps bots.
  public var life: String
  /// Who has registered it.
  public var owner: String?
  /// When it was registered, in Unix milliseconds.
  public let registered: Int64
  /// When it last changed, in Unix milliseconds.
  public var updated: Int64
  /// When it was last heard of, as far as that is stored, in Unix milliseconds.
  public var heartbeat: Int64
  /// Whether it sends signs of life, so that it is missed when they stop.
  public var beats: Bool

  /// Makes a row.
  public init(
    id: String, definition: [UInt8], life: String, owner: String? = nil, registered: Int64,
    updated: Int64, heartbeat: Int64, beats: Bool = false
  ) {
    self.id = id
    self.definition = definition
    self.life = life
    self.owner = owner
    self.registered = registered
    self.updated = updated
    self.heartbeat = heartbeat
    self.beats = beats
  }
}
