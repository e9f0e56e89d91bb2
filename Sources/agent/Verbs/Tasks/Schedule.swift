internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// The verbs for schedules.
struct ScheduleVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule", abstract: "Create tasks by the clock: cron, intervals, dates.",
    discussion: """
      A schedule creates one task per fire time, even if the host crashes.

      Example: agent schedule list
      """,
    subcommands: [
      ScheduleList.self, ScheduleShow.self, ScheduleCreate.self, ScheduleEditVerb.self,
      ScheduleDelete.self, SchedulePause.self, ScheduleResume.self, ScheduleTrigger.self,
      ScheduleNext.self,
    ], defaultSubcommand: ScheduleList.self)
}

/// The number or name of a schedule.
struct ScheduleName: ParsableArguments {
  @Argument(help: "The schedule's number or name.")
  var schedule: String

  /// Sends a request to a path below the schedule's.
  func ask(
    _ common: CommonOptions, _ method: HTTPMethod = .GET, rest: String = "",
    body: JSONValue? = nil
  ) async throws -> JSONValue {
    try await common.runningHost().request(
      method, "schedules/\(HostClient.escaped(schedule))\(rest)", body: body)
  }
}

/// Shows schedules.
struct ScheduleList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show schedules and when they fire next.",
    discussion: "Example: agent schedule list --status paused")

  @OptionGroup var common: CommonOptions

  @Option(help: "Only schedules in this state: active or paused.")
  var status: String?

  @Option(name: .customLong("search"), help: "Only schedules with this text in the name.")
  var text: String?

  @Option(help: "Only schedules with a number above this.")
  var after: Int?

  @Option(help: "Maximum number of results, 1 to 1000.")
  var limit = 100

  func run() async throws {
    let path = HostClient.path(
      "schedules", ("limit", "\(limit)"), ("status", status), ("q", text),
      ("after", after.map(String.init)))
    common.show(try await common.runningHost().request(.GET, path), as: Self.table)
  }

  private static func table(_ answer: JSONValue) -> String {
    let rows = (answer["schedules"]?.array ?? []).map { schedule in
      [
        schedule["id"]?.string ?? "", schedule["name"]?.string ?? "",
        schedule["status"]?.string ?? "", Moment.minute(schedule["next_fire_time"]),
        schedule["task"]?["type"]?.string ?? "", ScheduleText.timing(schedule),
      ]
    }
    guard !rows.isEmpty else { return "No schedules." }
    return Terminal.table([["ID", "NAME", "STATUS", "NEXT", "TASK", "WHEN"]] + rows)
  }
}

/// Shows one schedule.
struct ScheduleShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a schedule with its next and last fire times.",
    discussion: "Example: agent schedule show nightly")

  @OptionGroup var common: CommonOptions
  @OptionGroup var schedule: ScheduleName

  func run() async throws {
    let answer = try await schedule.ask(common)
    let fires = try await schedule.ask(common, .GET, rest: "/fires?limit=10")
    var whole = answer.object ?? [:]
    whole["fires"] = fires["fires"]
    common.show(
      .object(whole), keeping: .under(["description", "task"]), as: ScheduleText.whole)
  }
}

/// Schedules as text for people.
enum ScheduleText {
  /// Returns the timing in words, with the time zone if it isn't UTC.
  static func timing(_ schedule: JSONValue) -> String {
    let zone = schedule["zone"]?.string ?? "UTC"
    return (schedule["words"]?.string ?? "") + (zone == "UTC" ? "" : ", \(zone)")
  }

  static func line(_ schedule: JSONValue) -> String {
    let next = schedule["next_fire_time"] == nil ? "" : ", next \(when(schedule["next_fire_time"]))"
    return "Schedule \(schedule["id"]?.string ?? "") \"\(schedule["name"]?.string ?? "")\" is "
      + "\(schedule["status"]?.string ?? ""): \(timing(schedule))\(next)"
  }

  static func whole(_ schedule: JSONValue) -> String {
    var lines = [line(schedule)]
    if let text = schedule["description"]?.string { lines.append(text) }
    for key in ["cron", "every", "at", "start", "end", "jitter", "misfire", "overlap", "source"] {
      if let value = schedule[key]?.string { lines.append("  \(key): \(value)") }
    }
    if let task = schedule["task"] { lines.append("  task: \(task.text())") }
    lines.append("\nNext")
    lines += (schedule["next_fire_times"]?.array ?? []).map { "  \(when($0))" }
    lines.append("\nLast")
    for fire in schedule["fires"]?.array ?? [] {
      let task = fire["task_id"]?.string.map { " task \($0)" } ?? ""
      let note = fire["note"]?.string.map { ": \($0)" } ?? ""
      lines.append(
        "  \(when(fire["fire_time"]))  \(fire["outcome"]?.string ?? "")\(task)\(note)")
    }
    return lines.joined(separator: "\n")
  }

  private static func when(_ value: JSONValue?) -> String { Moment.minute(value) }
}
