/// A task as the host keeps it.
public struct TaskRecord: Sendable, Hashable {
  /// All fields that the host sends; docs/tasks.md lists the keys.
  public var details: JSONValue

  /// Makes a record from the host's fields.
  public init(_ details: JSONValue) { self.details = details }

  /// The id.
  public var id: String { details["id"]?.string ?? "" }
  /// The name for people.
  public var name: String { details["name"]?.string ?? "" }
  /// The name of the task type.
  public var type: String { details["type"]?.string ?? "" }
  /// `waiting`, `scheduled`, `queued`, `assigned`, `running`, `succeeded`, `failed`, `cancelled` or
  /// `dead`.
  public var status: String { details["status"]?.string ?? "" }
  /// The task's input.
  public var input: JSONValue { details["input"] ?? .null }
  /// The output; nil before the first attempt has ended.
  public var output: JSONValue? { details["result"]?["output"] }
  /// The reason why it hasn't succeeded.
  public var error: String? { details["result"]?["error"]?.string }
  /// Whether the task has ended. It changes only if it is executed again.
  public var isEnded: Bool { ["succeeded", "failed", "cancelled", "dead"].contains(status) }
  /// Decodes the input as a type of the module.
  public func input<T: Decodable>(as type: T.Type) throws -> T { try input.decode(type) }
}

/// A bot as the host keeps it.
public struct BotRecord: Sendable, Hashable {
  /// All fields that the host sends; docs/bots.md lists the keys.
  public var details: JSONValue

  /// Makes a record from the host's fields.
  public init(_ details: JSONValue) { self.details = details }

  /// The id, for programs.
  public var id: String { details["id"]?.string ?? "" }
  /// The name, for people.
  public var name: String { details["name"]?.string ?? "" }
  /// The status; nil for one that this SDK doesn't know.
  public var status: BotStatus? { details["status"]?.string.flatMap(BotStatus.init(rawValue:)) }
}

/// The status of a bot.
public enum BotStatus: String, Sendable, Hashable, CaseIterable {
  /// It takes tasks.
  case online
  /// It has as many tasks as it may have, or reports that it is busy.
  case busy
  /// It finishes its tasks and takes no new ones.
  case draining
  /// It isn't available.
  case offline
  /// It has a fault.
  case error
}

/// The assignment of a task to a bot.
public struct AssignmentRecord: Sendable, Hashable {
  /// All fields that the host sends; docs/bots.md lists the keys.
  public var details: JSONValue

  /// Makes a record from the host's fields.
  public init(_ details: JSONValue) { self.details = details }

  /// The id.
  public var id: String { details["id"]?.string ?? "" }
  /// The task's id.
  public var taskID: String { details["task_id"]?.string ?? "" }
  /// The bot's id.
  public var botID: String { details["bot_id"]?.string ?? "" }
  /// `pending`, `accepted`, `completed`, `failed`, `rejected`, `timed_out` or `withdrawn`.
  public var status: String { details["status"]?.string ?? "" }
  /// The task itself, where the host includes it: in a bot's offers.
  public var task: TaskRecord? {
    guard let task = details["task"], task.object != nil else { return nil }
    return TaskRecord(task)
  }
}
