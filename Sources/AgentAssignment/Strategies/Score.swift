public import AgentJSON

/// The score of a bot and its parts.
public struct Score: Sendable, Hashable {
  /// The bonus where the bot prefers the level of the task's priority.
  public static let preferenceBonus = 10

  /// The `priority_boost` of the capability.
  public let boost: Int
  /// ``preferenceBonus``, or 0.
  public let preference: Int
  /// The number of tasks that the bot has.
  public let load: Int
  /// The number of tasks that the bot may have.
  public let most: Int
  /// When its last task began or ended, in Unix milliseconds.
  public let lastActive: Int64
  /// The sequence number of its last assignment, counted from 1, or 0 before the first.
  public let turn: Int64

  /// `boost + preference`.
  public var total: Int { boost + preference }

  /// `load / most`.
  public var utilization: Double { Double(load) / Double(max(1, most)) }

  /// The score and its parts as JSON, for people and for strategies of modules.
  public var json: JSONObject {
    [
      "score": JSONValue(total), "priority_boost": JSONValue(boost),
      "preference": JSONValue(preference), "load": JSONValue(load),
      "max_concurrent_tasks": JSONValue(most), "utilization": JSONValue(utilization),
      "last_active": JSONValue(lastActive), "turn": JSONValue(turn),
    ]
  }
}
