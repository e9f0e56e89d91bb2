public import AgentJSON

/// `schedules.NAME`: when something is to be done, and what.
public struct ScheduleSettings: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// As it stands in the settings: `cron`, `every` or `at`, and what else there is.
  public let definition: JSONObject
}
