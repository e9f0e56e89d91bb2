import AgentText

/// The rule that chooses the bot for a task.
public enum AssignmentStrategy: Sendable, Hashable {
  /// The bot with the highest score.
  case bestFit
  /// The bot with the lowest share of taken slots.
  case loadBalanced
  /// The bot whose last assignment is the oldest.
  case roundRobin
  /// The bot with the highest score among those that prefer the task's priority.
  case priorityFirst
  /// The choice of a module's strategy: `MODULE/STRATEGY`.
  case custom(String)

  /// The strategies that every agent has.
  public static let builtIn: [AssignmentStrategy] = [
    .bestFit, .loadBalanced, .roundRobin, .priorityFirst,
  ]

  /// The name in settings and requests.
  public var name: String {
    switch self {
    case .bestFit: "best_fit"
    case .loadBalanced: "load_balanced"
    case .roundRobin: "round_robin"
    case .priorityFirst: "priority_first"
    case .custom(let name): name
    }
  }

  /// Returns the strategy of this name: a built-in one, or one in `custom`, which modules offer.
  public init(named name: String, custom: [String] = []) throws(AssignmentProblem) {
    if let known = Self.builtIn.first(where: { $0.name == name }) {
      self = known
    } else if custom.contains(name) {
      self = .custom(name)
    } else {
      let names = Self.builtIn.map(\.name) + custom
      throw AssignmentProblem(
        .unknownName,
        "There is no assignment strategy \"\(name)\". There are: \(names.joined(separator: ", ")).",
        nearest: NameSuggestion.of(name, among: names))
    }
  }
}
