/// A bot, which may be given tasks.
public struct BotRow: Sendable, Hashable {
  public let id: String
  /// Its registration, as JSON.
  public var definition: [UInt8]
  /// Its state, in a word of the bot state machine.
  public var lifecycle: String
  /// The principal that registered it.
  public var owner: String?
  /// When it was registered, in Unix milliseconds.
  public let registered: Int64
  /// When it last changed, in Unix milliseconds.
  public var updated: Int64
  /// When its last heartbeat came, in Unix milliseconds. Not every heartbeat is stored.
  public var heartbeat: Int64
  /// Whether it has ever sent a heartbeat. Only such a bot is monitored.
  public var beats: Bool
  /// What whoever defined it may have done, in the words of AgentTasks; nil if a former version
  /// has registered it.
  public var authority: String?

  /// Makes a row.
  public init(
    id: String, definition: [UInt8], lifecycle: String, owner: String? = nil, registered: Int64,
    updated: Int64, heartbeat: Int64, beats: Bool = false, authority: String? = nil
  ) {
    self.id = id
    self.definition = definition
    self.lifecycle = lifecycle
    self.owner = owner
    self.registered = registered
    self.updated = updated
    self.heartbeat = heartbeat
    self.beats = beats
    self.authority = authority
  }
}
