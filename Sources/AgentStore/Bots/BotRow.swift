/// A registered bot.
public struct BotRow: Sendable, Hashable {
  public let id: String
  /// The registration as JSON.
  public var definition: [UInt8]
  /// The name of its state in the bot state machine.
  public var lifecycle: String
  /// The principal that registered it.
  public var owner: String?
  /// The time of registration in Unix milliseconds.
  public let registered: Int64
  /// The time of the last change in Unix milliseconds.
  public var updated: Int64
  /// The time of the last heartbeat in Unix milliseconds. Not every heartbeat is stored.
  public var heartbeat: Int64
  /// Whether it has ever sent a heartbeat. Only such a bot is monitored.
  public var beats: Bool
  /// The rights of the caller that registered it, in the stored form of `TaskAuthority`; `nil` if a
  /// former version registered it.
  public var authority: String?

  /// Creates a row.
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
