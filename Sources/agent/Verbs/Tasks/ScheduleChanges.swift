internal import AgentJSON
internal import ArgumentParser
internal import NIOHTTP1

/// The options for the timing of a schedule.
struct ScheduleOptions: ParsableArguments {
  @Option(help: "A cron expression of five or six fields, or @daily and the like.")
  var cron: String?

  @Option(help: "An interval: 15m, 1h30m, 1d.")
  var every: String?

  @Option(help: "A date, for one run: 2026-11-30T16:00.")
  var at: String?

  @Option(help: "The schedule's time zone; UTC by default.")
  var zone: String?

  @Option(help: "Earliest time at which it may fire: a date.")
  var start: String?

  @Option(help: "Time from which it may no longer fire: a date.")
  var end: String?

  @Option(help: "Longest delay of a run after its fire time, such as 5m.")
  var jitter: String?

  @Option(help: "How missed fire times are handled: skip, once, all or all:N.")
  var misfire: String?

  @Option(
    help:
      "What happens while an earlier run has not ended: skip, queue, parallel or cancel_running.")
  var overlap: String?

  @Option(help: "A description.")
  var description: String?

  @Option(help: "Priority of its tasks: low, normal, high, critical, or 0 to 1000.")
  var priority: String?

  @Option(help: "The task's input, as JSON; @FILE reads a file.")
  var input: String?

  /// The given members of a schedule.
  var members: JSONObject {
    var object = JSONObject()
    for (key, value) in [
      ("cron", cron), ("every", every), ("at", at), ("zone", zone), ("start", start), ("end", end),
      ("jitter", jitter), ("misfire", misfire), ("overlap", overlap), ("description", description),
    ] { object[key] = value.map(JSONValue.string) }
    return object
  }

  /// Returns the given members of its task.
  func task() throws -> JSONObject {
    var object = JSONObject()
    object["priority"] = priority.map(TaskOptions.priority)
    if let input { object["input"] = try TaskOptions.json(input) }
    return object
  }
}

/// Creates a schedule.
struct ScheduleCreate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create a schedule, which creates a task at each fire time.",
    discussion: """
      --task N creates tasks like an existing one.

      Example: agent schedule create nightly --cron "0 2 * * *" --type data_backup
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The schedule's name; not a number.")
  var name: String

  @Option(help: "A task type: \"agent task types\" shows them. command when there is a --command.")
  var type: String?

  @Option(help: "A program with its arguments, python:FILE:FUNCTION or node:FILE:FUNCTION.")
  var command: String?

  @Option(help: "The number of a task to repeat.")
  var task: Int?

  @OptionGroup var options: ScheduleOptions

  @Flag(help: "Create it paused.")
  var paused = false

  func run() async throws {
    let host = try common.runningHost()
    var body = options.members
    body["name"] = .string(name)
    if let task {
      let made = try await host.request(.POST, "tasks/\(task)/schedule", body: .object(body))
      let id = made["schedule_id"]?.string ?? ""
      common.show(try await host.request(.GET, "schedules/\(id)"), as: ScheduleText.line)
      return
    }
    var task = try options.task()
    task["type"] = type.map(JSONValue.string)
    task["run_command"] = command.map(JSONValue.string)
    body["task"] = .object(task)
    if paused { body["paused"] = true }
    let answer = try await host.request(.POST, "schedules", body: .object(body))
    common.show(answer, as: ScheduleText.line)
  }
}

/// Changes a schedule.
struct ScheduleEditVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a schedule; fields that aren't given stay.",
    discussion: "Example: agent schedule edit nightly --cron \"0 3 * * *\"")

  @OptionGroup var common: CommonOptions
  @OptionGroup var schedule: ScheduleName

  @Option(help: "The new name.")
  var name: String?

  @OptionGroup var options: ScheduleOptions

  func run() async throws {
    var body = options.members
    body["name"] = name.map(JSONValue.string)
    let task = try options.task()
    if !task.isEmpty { body["task"] = .object(task) }
    guard !body.isEmpty else {
      throw Failure("Give at least one change, such as --cron \"0 3 * * *\".", exit: .usage)
    }
    let answer = try await schedule.ask(common, .PATCH, body: .object(body))
    common.show(answer, as: ScheduleText.line)
  }
}

/// Removes a schedule.
struct ScheduleDelete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a schedule; its tasks stay.",
    discussion: "Example: agent schedule delete nightly")

  @OptionGroup var common: CommonOptions
  @OptionGroup var schedule: ScheduleName

  func run() async throws {
    common.show(try await schedule.ask(common, .DELETE)) {
      "The schedule \($0["name"]?.string ?? "") is deleted."
    }
  }
}

/// Pauses a schedule.
struct SchedulePause: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Pause a schedule.",
    discussion: "Example: agent schedule pause nightly")

  @OptionGroup var common: CommonOptions
  @OptionGroup var schedule: ScheduleName

  func run() async throws {
    common.show(try await schedule.ask(common, .POST, rest: "/pause"), as: ScheduleText.line)
  }
}

/// Resumes a schedule.
struct ScheduleResume: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Resume a schedule from now on.",
    discussion: "Example: agent schedule resume nightly")

  @OptionGroup var common: CommonOptions
  @OptionGroup var schedule: ScheduleName

  func run() async throws {
    common.show(try await schedule.ask(common, .POST, rest: "/resume"), as: ScheduleText.line)
  }
}

/// Starts a run now.
struct ScheduleTrigger: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trigger", abstract: "Create a run now, in addition to the schedule's fire times.",
    discussion: "Example: agent schedule trigger nightly")

  @OptionGroup var common: CommonOptions
  @OptionGroup var schedule: ScheduleName

  func run() async throws {
    common.show(try await schedule.ask(common, .POST, rest: "/trigger")) {
      "Task \($0["task_id"]?.string ?? "") was created."
    }
  }
}
