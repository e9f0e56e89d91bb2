/// The bots that have a free slot, and the types of task that they can take.
public struct BotRoom: Sendable, Hashable {
  /// The number of bots with a free slot, by type of task.
  public internal(set) var types: [String: Int] = [:]
  /// The ids of the bots with a free slot.
  public internal(set) var bots: Set<String> = []

  /// No bot has a free slot.
  public init() {}
}
