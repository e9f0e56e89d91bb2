/// By what it is chosen who gets a task.
public enum AssignmentStrategy: Sendable, Hashable {
  /// Who scores highest.
  case bestFit
  /// Whose room is least taken.
  case loadBalanced
  /// Whose turn it is.
  case roundRobin
  /// Who prefers the task's priority, and of these who scores highest.
  case priorityFirst
  /// What a module says: `MODULE/STRATEGY`.
  case custom(String)

  /// Those that every agent has.
  public static let builtIn: [AssignmentStrategy] = [
    .bestFit, .loadBalanced, .roundRobin, .priorityFirst,
  ]

  /// As it is written in settings and requests.
  public var name: String {
    switch self {
    case .bestFit: "best_fit"
    case .loadBalanced: "load_balanced"
    case .roundRobin: "round_robin"
    case .priorityFirst: "priority_first"
    case .custom(let name): name
    }
  }

  /// The strategy of this name: a built-in one, or one of those that modules offer.
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
        nearest: NearestName.of(name, among: names))
    }
  }
}
