public import AgentJSON

/// What speaks for a bot, and the parts of it.
public struct Score: Sendable, Hashable {
  /// What is added where the bot prefers the level that the task's priority has.
  public static let preferenceBonus = 10

  /// The `priority_boost` of the capability.
  public let boost: Int
  /// ``preferenceBonus``, or 0.
  public let preference: Int
  /// How many tasks the bot has.
  public let load: Int
  /// How many it may have.
  public let most: Int
  /// When its last task began or ended, in Unix milliseconds.
  public let lastActive: Int64
  /// The turn in which it last got a task, counted from 1; 0 where it had none yet.
  public let turn: Int64

  /// `boost + preference`.
  public var total: Int { boost + preference }

  /// `load / most`.
  public var utilisation: Double { Double(load) / Double(max(1, most)) }

  /// Score and parts, for people and for strategies of modules.
  public var json: JSONObject {
    [
      "score": JSONValue(total), "priority_boost": JSONValue(boost),
      "preference": JSONValue(preference), "load": JSONValue(load),
      "max_concurrent_tasks": JSONValue(most), "utilisation": JSONValue(utilisation),
      "last_active": JSONValue(lastActive), "turn": JSONValue(turn),
    ]
  }
}
