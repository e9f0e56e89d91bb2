/// The number of tasks that a bot has.
public struct BotLoad: Sendable, Hashable {
  /// All tasks of the bot.
  public private(set) var total = 0
  /// The number of tasks of each capability, by the capability's name. Capabilities without tasks
  /// have no entry.
  public private(set) var byCapability: [String: Int] = [:]

  /// No tasks.
  public init() {}

  /// The number of tasks of one capability.
  public func count(of capability: String) -> Int { byCapability[capability] ?? 0 }

  mutating func begin(_ capability: String?) {
    total += 1
    if let capability { byCapability[capability, default: 0] += 1 }
  }

  /// - Returns: whether it had such a task.
  mutating func end(_ capability: String?) -> Bool {
    guard total > 0 else { return false }
    if let capability {
      guard let count = byCapability[capability] else { return false }
      byCapability[capability] = count > 1 ? count - 1 : nil
    }
    total -= 1
    return true
  }
}
