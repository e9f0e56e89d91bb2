public import AgentJSON

/// `schedules.NAME`: what a schedule does, and when.
public struct ScheduleSettings: Sendable, Hashable {
  public let name: String
  /// The entry in the settings: `cron`, `every` or `at`, and all other keys.
  public let definition: JSONObject
}
