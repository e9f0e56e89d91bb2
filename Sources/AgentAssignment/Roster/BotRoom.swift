/// Who has room at the moment, by what they may take.
public struct BotRoom: Sendable, Hashable {
  /// By type of task: how many bots that do it have room.
  public internal(set) var types: [String: Int] = [:]
  /// The bots that have room, by id.
  public internal(set) var bots: Set<String> = []

  /// Nobody.
  public init() {}
}
