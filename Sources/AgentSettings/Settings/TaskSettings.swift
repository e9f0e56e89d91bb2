public import AgentJSON

/// `tasks`: the execution of tasks, and the types beside the built-in ones and those of modules.
public struct TaskSettings: Sendable, Hashable {
  /// The maximum number of tasks that the host runs at once.
  public var slots = 16
  /// The maximum number of unfinished tasks. Beyond it no new task is accepted.
  public var maxOpen = 1_000_000
  /// The maximum bytes of the definitions of unfinished tasks. Nil means a quarter of the store's.
  public var maxBytes: Int?
  /// The maximum of those that one creator has who doesn't administer the agent.
  public var maxBytesEach = 256 << 20
  /// The maximum bytes of ended tasks and of all logs. Nil means an eighth of the store's.
  public var maxEndedBytes: Int?
  /// The maximum bytes of artifacts.
  public var maxArtifactBytes = 4 << 30
  /// The maximum number of schedules. Beyond it no new schedule is accepted.
  public var maxSchedules = 10_000
  /// The maximum bytes of the definitions of schedules.
  public var maxScheduleBytes = 64 << 20
  /// The waiting time that outweighs one level of priority (250 points), in milliseconds.
  public var ageingMs: Int64 = 600_000
  /// The number of days before an ended task is removed.
  public var keepDays: Double = 30
  /// The maximum number of lines in a task's log.
  public var logLines = 2_000
  /// Whether a task may use a shell.
  public var allowsShell = false
  /// Whether a task's request may go to private addresses and to this machine.
  public var allowsPrivate = false
  /// The program that runs functions in Python: a name or a path.
  public var python = "python3"
  /// The program that runs functions in JavaScript: a name or a path.
  public var node = "node"
  /// The time from SIGTERM to SIGKILL, in milliseconds.
  public var killAfterMs: Int64 = 5_000
  /// `retry` of tasks that have none of their own.
  public var retry = JSONValue.null
  /// `timeouts` of tasks that have none of their own.
  public var timeouts = JSONValue.null
  /// Further types, sorted by name.
  public var types: [TaskTypeSettings] = []

  public init() {}
}

/// An entry of `tasks.types`.
public struct TaskTypeSettings: Sendable, Hashable {
  /// The program, HTTP request, module's action or bot that does tasks of the type.
  public enum Executor: Sendable, Hashable {
    /// A program: `run_command`, and whether a shell reads it.
    case command(String, usesShell: Bool, secrets: [String], finalCodes: [Int])
    case http(Request)
    /// Only bots.
    case bots
    /// A module's action, and the fixed part of its input.
    case action(String, name: String, fixed: JSONObject)
  }

  /// The request of the executor `http`.
  public struct Request: Sendable, Hashable {
    /// The URL. It may hold a secret.
    public var url: String
    /// The HTTP method.
    public var method = "POST"
    /// The header fields. They may hold secrets.
    public var headers: [String: String] = [:]
    /// Whether the request may go to private addresses and to this machine.
    public var allowsPrivate = false
  }

  public var name: String
  /// A description for people.
  public var description = ""
  public var input: JSONValue?
  public var executor: Executor
  /// `retry` of tasks that have none of their own. Null means that of `tasks`.
  public var retry = JSONValue.null
  /// `timeouts` of tasks that have none of their own. Null means those of `tasks`.
  public var timeouts = JSONValue.null
  /// The maximum number of tasks that run at once. Nil means the number of slots.
  public var maxAtOnce: Int?

  public init(name: String, executor: Executor) {
    self.name = name
    self.executor = executor
  }
}
