import AgentJSON
import AgentModules
import AgentSettings
import Testing

/// `schedules`: what is done when.
@Suite struct ScheduleSettingsTests {
  private func load(
    _ schedule: String, environment: [String: String] = [:]
  ) throws -> SettingsResult {
    try SettingsFixture().load(
      #"{"schedules": {"s": \#(schedule)}}"#, environment: environment)
  }

  @Test func `settings without schedules run nothing by time`() throws {
    #expect(try #require(SettingsFixture().load("{}").settings).schedules.isEmpty)
  }

  @Test func `a valid schedule is kept as written`() throws {
    let settings = try #require(
      load(
        """
        {"cron": "0 2 * * MON", "zone": "UTC", "misfire": "all:5", "overlap": "queue",
         "jitter": "5m", "start": "2026-01-01", "task": {"type": "backup", "input": {"a": 1}}}
        """
      ).settings)
    #expect(settings.schedules.map(\.name) == ["s"])
    #expect(settings.schedules.first?.definition["task"]?["input"] == ["a": 1])
  }

  @Test(arguments: [
    (#"{"task": {"type": "a"}}"#, "schedules.s", "one of cron"),
    (#"{"cron": "* * * * *", "every": "1m", "task": {"type": "a"}}"#, "schedules.s", "found 2"),
    (#"{"cron": "0 24 * * *", "task": {"type": "a"}}"#, "schedules.s.cron", "column 3, hour"),
    (#"{"every": "0s", "task": {"type": "a"}}"#, "schedules.s.every", "From 1s"),
    (#"{"at": "soon", "task": {"type": "a"}}"#, "schedules.s.at", "isn't a date"),
    (#"{"every": "1m", "zone": "Mars", "task": {"type": "a"}}"#, "schedules.s.zone", "Mars"),
    (#"{"every": "1m", "misfire": "x", "task": {"type": "a"}}"#, "schedules.s.misfire", "policy"),
    (#"{"every": "1m", "overlap": "quue", "task": {"type": "a"}}"#, "schedules.s.overlap", "queue"),
    (#"{"every": "1m"}"#, "schedules.s", "task"),
  ])
  func `a mistake is reported with its place`(
    _ schedule: String, _ place: String, _ words: String
  ) throws {
    let result = try load(schedule)
    #expect(result.settings == nil)
    let text = result.problems.map(\.description).joined(separator: "\n")
    #expect(text.contains(place) && text.contains(words), "\(text)")
  }

  @Test func `a secret isn't stored in a schedule`() throws {
    let result = try load(
      #"{"every": "1m", "task": {"type": "a", "input": {"key": "${secret:KEY}"}}}"#,
      environment: ["KEY": "s3same-open"])
    #expect(result.settings == nil)
    let text = result.problems.map(\.description).joined(separator: "\n")
    #expect(text.contains("task.secrets") && !text.contains("s3same-open"), "\(text)")
  }
}
