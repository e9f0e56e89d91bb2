internal import AgentJSON
internal import AgentSystem
internal import ArgumentParser
internal import NIOHTTP1

/// The options of a new task.
struct TaskOptions: ParsableArguments {
  @Argument(help: "The task's name.")
  var name: String

  @Option(help: "A task type: \"agent task types\" shows them. command when there is a --command.")
  var type: String?

  @Option(help: "A program with its arguments, python:FILE:FUNCTION or node:FILE:FUNCTION.")
  var command: String?

  @Option(help: "The task's input, as JSON; @FILE reads a file.")
  var input: String?

  @Option(help: "A description.")
  var description: String?

  @Option(help: "Priority: low, normal, high, critical, or a number from 0 to 1000.")
  var priority: String?

  @Option(help: "Due date: 2026-11-30 or 2026-11-30 16:00.")
  var due: String?

  @Option(name: .customLong("in"), help: "Delay before the first attempt: 10m, 12h, 3d.")
  var wait: String?

  @Option(help: "Tags, separated by commas.")
  var tags: String?

  @Option(help: "Maximum number of attempts.")
  var attempts: Int?

  @Option(help: "Time limit of one attempt, in seconds.")
  var timeout: Double?

  @Option(help: "Names of secrets for the command, separated by commas.")
  var secrets: String?

  @Flag(help: "Run the command in a shell.")
  var shell = false

  @Option(help: "The bot for the task.")
  var bot: String?

  @Option(help: "Any other members of a task as JSON, such as its escalation; @FILE reads a file.")
  var with: String?

  /// Returns the body that creates the task.
  func body() throws -> JSONObject {
    var body = JSONObject()
    if let with {
      guard let members = try Self.json(with).object else {
        throw Failure("--with must be an object, such as '{\"unique\": \"open\"}'.")
      }
      body = members
    }
    body["name"] = .string(name)
    body["type"] = type.map(JSONValue.string) ?? body["type"]
    body["run_command"] = command.map(JSONValue.string) ?? body["run_command"]
    body["description"] = description.map(JSONValue.string) ?? body["description"]
    body["bot"] = bot.map(JSONValue.string) ?? body["bot"]
    body["tags"] = tags.map(Self.words) ?? body["tags"]
    body["secrets"] = secrets.map(Self.words) ?? body["secrets"]
    if shell { body["shell"] = true }
    if let input { body["input"] = try Self.json(input) }
    body["priority"] = priority.map(Self.priority) ?? body["priority"]
    if let due { body["due_date"] = try Self.moment(due) }
    if let attempts { body["retry"] = ["attempts": JSONValue(attempts)] }
    if let timeout { body["timeouts"] = ["run_ms": JSONValue(Int64(clamping: timeout * 1000))] }
    if let wait {
      guard let span = Moment.milliseconds(wait) else {
        throw Failure("--in must be a span such as 10m, 12h or 3d; found \"\(wait)\".")
      }
      body["run_at"] = JSONValue(Timestamp.now().adding(span))
    }
    return body
  }

  private static func words(_ text: String) -> JSONValue {
    .array(text.split(separator: ",").map { .string($0.trimmed) })
  }

  /// Returns a priority, given as a number or a name.
  static func priority(_ text: String) -> JSONValue {
    Int(text).map { JSONValue($0) } ?? .string(text)
  }

  /// Returns the value of `--due` in Unix milliseconds.
  static func moment(_ text: String) throws -> JSONValue {
    guard let moment = Moment.named(text) else {
      throw Failure("--due must be a day or a time such as 2026-11-30 16:00; found \"\(text)\".")
    }
    return JSONValue(moment)
  }

  /// Returns JSON from the command line, a file or standard input.
  static func json(_ text: String) throws -> JSONValue {
    let bytes =
      if text == "-" {
        StandardInput.all()
      } else if text.hasPrefix("@") {
        try Files.read(String(text.dropFirst()), most: 2 << 20)
      } else {
        Array(text.utf8)
      }
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw Failure("The input isn't JSON: \(error)")
    }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

/// Creates a task.
struct TaskCreate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create a task.",
    discussion: """
      The task waits for "agent task execute", unless --queue or --in is given.

      Example: agent task create "nightly report" --command "python:report.py:main"
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var options: TaskOptions

  @Flag(help: "Queue the task at once.")
  var queue = false

  func run() async throws {
    var body = try options.body()
    if queue { body["status"] = "queued" }
    let answer = try await common.runningHost().request(.POST, "tasks", body: .object(body))
    common.show(answer, as: TaskText.line)
  }
}

/// Creates a task, waits for its end and shows the result.
struct TaskRun: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Create a task, wait for its end and show the result.",
    discussion: """
      Exits with 1 if the task doesn't succeed.

      Example: agent task run "free space" --command "df -h /"
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var options: TaskOptions

  @Option(help: "Maximum time to wait, in seconds.")
  var wait = 3600

  func run() async throws {
    var body = try options.body()
    body["status"] = "queued"
    let host = try common.runningHost()
    let task = try await host.request(.POST, "tasks", body: .object(body))
    let number = TaskNumber.parsed(task)
    try await TaskWait.show(number, common, seconds: wait)
  }
}

extension TaskNumber {
  /// Returns the number of a task of the API.
  fileprivate static func parsed(_ task: JSONValue) -> TaskNumber {
    var number = TaskNumber()
    number.id = task["id"]?.string.flatMap { Int($0) } ?? 0
    return number
  }
}

/// Waits for a task's end.
struct TaskWait: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait", abstract: "Wait until a task has ended, and show the result.",
    discussion: """
      Exits with 1 if the task doesn't succeed.

      Example: agent task wait 7 --seconds 60
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var task: TaskNumber

  @Option(help: "Maximum time to wait, in seconds.")
  var seconds = 3600

  func run() async throws { try await Self.show(task, common, seconds: seconds) }

  static func show(_ task: TaskNumber, _ common: CommonOptions, seconds: Int) async throws {
    // The host waits an hour at most for one request.
    let most = min(max(0, seconds), 3600)
    let answer = try await task.ask(
      common, .GET, rest: "/wait?wait_ms=\(most * 1000)", seconds: Int64(most) + 60)
    common.show(answer, keeping: TaskText.blocks) { answer in
      let result = answer["result"].map { TaskText.result($0) } ?? ""
      return TaskText.line(answer) + "\n" + result
    }
    if answer["finished"] == nil {
      throw Failure("The task has not ended after \(most) s; it continues.")
    }
    if answer["status"]?.string != "succeeded" { throw Failure.alreadySaid }
  }
}
