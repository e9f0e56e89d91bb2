/// Why a bot doesn't get a task.
public enum Refusal: Sendable, Hashable, CustomStringConvertible {
  /// It said so, or somebody did.
  case offline
  /// Its heartbeats stopped.
  case lost
  /// It says that it is busy.
  case busy
  /// It ends what it has.
  case draining
  /// Something is wrong with it.
  case error
  /// No capability of it covers the type; the nearest type that one does.
  case lacksTaskType(String, nearest: String?)
  /// None that covers the type has the name that is asked for; the nearest name.
  case lacksCapability(String, nearest: String?)
  /// It has no room.
  case atCapacity(load: Int, most: Int)
  /// Its capability has no room.
  case capabilityAtCapacity(String, load: Int, most: Int)
  /// It has rejected the task, or let the offer pass.
  case excluded
  /// The task is for another bot.
  case pinnedElsewhere(String)
  /// The task asks for another type of bot.
  case otherType(wanted: String, is: String)

  /// A stable word for machines.
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

  /// For people, as the end of a sentence about the bot.
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
