public import AgentJSON

/// `tasks`: how tasks are done, and which types there are beside the built-in ones and those of
/// modules.
public struct TaskSettings: Sendable, Hashable {
  /// How many tasks the host does at once.
  public var slots = 16
  /// The maximum number of unfinished tasks. Beyond it no new task is accepted.
  public var maxOpen = 1_000_000
  /// How many milliseconds of waiting one level of priority outweighs: 250 points.
  public var ageingMs: Int64 = 600_000
  /// Days after which a task that has ended is removed.
  public var keepDays: Double = 30
  /// How many lines of what a task writes are kept.
  public var logLines = 2_000
  /// Whether a task may ask for a shell.
  public var allowsShell = false
  /// Whether a task's request may go to a private address, or this machine.
  public var allowsPrivate = false
  /// What runs functions in Python: a name, or a path.
  public var python = "python3"
  /// What runs functions in JavaScript: a name, or a path.
  public var node = "node"
  /// Milliseconds from SIGTERM to SIGKILL.
  public var killAfterMs: Int64 = 5_000
  /// `retry` of tasks that say nothing of it.
  public var retry = JSONValue.null
  /// `timeouts` of tasks that say nothing of them.
  public var timeouts = JSONValue.null
  /// Further types, sorted by name.
  public var types: [TaskTypeSettings] = []

  /// As it is when the settings say nothing.
  public init() {}
}

/// An entry of `tasks.types`.
public struct TaskTypeSettings: Sendable, Hashable {
  /// The program, HTTP request, module's action or bot that does tasks of the type.
  public enum Executor: Sendable, Hashable {
    /// A program: `run_command`, and whether a shell reads it.
    case command(String, usesShell: Bool, secrets: [String], finalCodes: [Int])
    /// A request.
    case http(Request)
    /// Bots only.
    case bots
    /// A module's action, with what its input always has.
    case action(String, name: String, fixed: JSONObject)
  }

  /// What a task of the executor `http` asks for.
  public struct Request: Sendable, Hashable {
    /// Where to; may hold a secret.
    public var url: String
    /// GET, POST or another one.
    public var method = "POST"
    /// Header fields; they may hold secrets.
    public var headers: [String: String] = [:]
    /// Whether a private address, or this machine, is allowed.
    public var allowsPrivate = false
  }

  /// The type's name.
  public var name: String
  /// For people.
  public var description = ""
  /// The JSON Schema of the input.
  public var input: JSONValue?
  public var executor: Executor
  /// `retry` of tasks that say nothing of it; null for that of all.
  public var retry = JSONValue.null
  /// `timeouts` of tasks that say nothing of them.
  public var timeouts = JSONValue.null
  /// How many are done at once; nil for as many as there are places.
  public var maxAtOnce: Int?

  /// A type with defaults.
  public init(name: String, executor: Executor) {
    self.name = name
    self.executor = executor
  }
}
