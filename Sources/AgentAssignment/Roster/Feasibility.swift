/// Whether a task can ever be taken by a bot that is registered, whatever its status and load.
public enum Feasibility: Sendable, Hashable, CustomStringConvertible {
  /// Some bot can take it, now or later.
  case possible
  /// No bot has a capability for the type. The nearest known type, if there is one.
  case unknownTaskType(String, nearest: String?)
  /// The task names a bot that isn't registered.
  case pinnedIsUnknown(String)
  /// The task names a bot that has no capability for it or is of another type than asked for.
  case pinnedIsUnsuited(String)
  /// Bots have the type, but not with a capability of this name.
  case unknownCapability(String, nearest: String?)
  /// Bots have the capability, but none is of the type that is asked for.
  case noBotOfType(String)
  /// All suitable bots have rejected the task or let the offer expire.
  case allExcluded(Int)

  /// Whether a bot can take the task, now or later.
  public var isPossible: Bool { self == .possible }

  /// The obstacle and its remedy, for people.
  public var description: String {
    switch self {
    case .possible: "A registered bot can take it."
    case .unknownTaskType(let type, let nearest):
      "No registered bot has a capability for \"\(type)\"\(Self.hint(nearest)). Register one, or change the task's type."
    case .pinnedIsUnknown(let id):
      "The task is for \(id) alone, which isn't registered. Register it, or assign the task to another."
    case .pinnedIsUnsuited(let id):
      "The task is for \(id) alone, which has no capability for it, or isn't of the type that is asked for."
    case .unknownCapability(let name, let nearest):
      "No registered bot has a capability called \"\(name)\" for it\(Self.hint(nearest))."
    case .noBotOfType(let type):
      "No registered bot that has the capability is a \(type)."
    case .allExcluded(let count):
      "All \(count) bots that could take it have rejected it or let the offer expire."
    }
  }

  private static func hint(_ nearest: String?) -> String {
    nearest.map { " (the nearest is \"\($0)\")" } ?? ""
  }
}
