/// A task as the host keeps it.
public struct TaskRecord: Sendable, Hashable {
  /// All that the host says of it; docs/tasks.md has the keys.
  public var details: JSONValue

  /// Reads what the host says.
  public init(_ details: JSONValue) { self.details = details }

  /// Its number.
  public var id: String { details["id"]?.string ?? "" }
  /// What people call it.
  public var name: String { details["name"]?.string ?? "" }
  /// What is done.
  public var type: String { details["type"]?.string ?? "" }
  /// `waiting`, `scheduled`, `queued`, `assigned`, `running`, `succeeded`, `failed`, `cancelled` or `dead`.
  public var status: String { details["status"]?.string ?? "" }
  /// What it works on.
  public var input: JSONValue { details["input"] ?? .null }
  /// What has come of it; nil before the first attempt's end.
  public var output: JSONValue? { details["result"]?["output"] }
  /// Why it hasn't succeeded.
  public var error: String? { details["result"]?["error"]?.string }
  /// Nothing happens to it any more unless somebody asks.
  public var isEnded: Bool { ["succeeded", "failed", "cancelled", "dead"].contains(status) }
  /// Its type's input as a type of the module's.
  public func input<T: Decodable>(as type: T.Type) throws -> T { try input.decode(type) }
}

/// A bot as the host keeps it.
public struct BotRecord: Sendable, Hashable {
  /// All that the host says of it; docs/bots.md has the keys.
  public var details: JSONValue

  /// Reads what the host says.
  public init(_ details: JSONValue) { self.details = details }

  /// The id, for programs.
  public var id: String { details["id"]?.string ?? "" }
  /// The name, for people.
  public var name: String { details["name"]?.string ?? "" }
  /// How it stands; nil for a word that this SDK doesn't know.
  public var status: BotStatus? { details["status"]?.string.flatMap(BotStatus.init(rawValue:)) }
}

/// How a bot stands.
public enum BotStatus: String, Sendable, Hashable, CaseIterable {
  /// It takes tasks.
  case online
  /// It has as many as it may have, or says so.
  case busy
  /// It ends what it has and takes nothing new.
  case draining
  /// It isn't there.
  case offline
  /// Something is wrong with it.
  case error
}

/// A task in a bot's hands.
public struct AssignmentRecord: Sendable, Hashable {
  /// All that the host says of it; docs/bots.md has the keys.
  public var details: JSONValue

  /// Reads what the host says.
  public init(_ details: JSONValue) { self.details = details }

  /// Its number.
  public var id: String { details["id"]?.string ?? "" }
  /// The task's number.
  public var taskID: String { details["task_id"]?.string ?? "" }
  /// The bot.
  public var botID: String { details["bot_id"]?.string ?? "" }
  /// `pending`, `accepted`, `completed`, `failed`, `rejected`, `timed_out` or `withdrawn`.
  public var status: String { details["status"]?.string ?? "" }
  /// The task itself, where the host has said it: in what a bot is offered.
  public var task: TaskRecord? {
    guard let task = details["task"], task.object != nil else { return nil }
    return TaskRecord(task)
  }
}
