/// Why a bot doesn't get a task.
public enum Refusal: Sendable, Hashable, CustomStringConvertible {
  /// The bot or a person has set this status.
  case offline
  /// Its heartbeats stopped.
  case lost
  /// The bot reports that it is busy.
  case busy
  /// The bot ends its tasks and takes no new ones.
  case draining
  /// The bot has a fault.
  case error
  /// None of its capabilities covers the type. The nearest type that one covers.
  case lacksTaskType(String, nearest: String?)
  /// No capability that covers the type has the name that is asked for. The nearest name.
  case lacksCapability(String, nearest: String?)
  /// All slots of the bot are taken.
  case atCapacity(load: Int, most: Int)
  /// All slots of the capability are taken.
  case capabilityAtCapacity(String, load: Int, most: Int)
  /// The bot has rejected the task or let the offer expire.
  case excluded
  /// The task names another bot.
  case pinnedElsewhere(String)
  /// The task asks for another type of bot.
  case otherType(wanted: String, is: String)

  /// A stable code for machines.
  public var code: String {
    switch self {
    case .offline: "offline"
    case .lost: "lost"
    case .busy: "busy"
    case .draining: "draining"
    case .error: "error"
    case .lacksTaskType: "lacks_task_type"
    case .lacksCapability: "lacks_capability"
    case .atCapacity: "at_capacity"
    case .capabilityAtCapacity: "capability_at_capacity"
    case .excluded: "excluded"
    case .pinnedElsewhere: "pinned_elsewhere"
    case .otherType: "other_bot_type"
    }
  }

  /// The reason for people, as the end of a sentence about the bot.
  public var description: String {
    switch self {
    case .offline: "offline"
    case .lost: "offline: its heartbeats stopped"
    case .busy: "busy, as it reported"
    case .draining: "draining: it takes no new tasks"
    case .error: "in error"
    case .lacksTaskType(let type, let nearest):
      "no capability covers \"\(type)\"" + Self.hint(nearest)
    case .lacksCapability(let name, let nearest):
      "no capability called \"\(name)\" covers this type" + Self.hint(nearest)
    case .atCapacity(let load, let most): "at capacity (\(load) of \(most))"
    case .capabilityAtCapacity(let name, let load, let most):
      "its capability \"\(name)\" is at capacity (\(load) of \(most))"
    case .excluded: "excluded, since it rejected the task or let the offer expire"
    case .pinnedElsewhere(let id): "the task is for \(id) alone"
    case .otherType(let wanted, let type): "it is a \(type), and the task asks for a \(wanted)"
    }
  }

  private static func hint(_ nearest: String?) -> String {
    nearest.map { " (the nearest is \"\($0)\")" } ?? ""
  }
}
