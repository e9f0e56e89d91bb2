public import AgentJSON

/// Which bot gets a task, and why.
public struct Decision: Sendable, Hashable {
  /// The chosen bot.
  public struct Choice: Sendable, Hashable {
    public let bot: String
    /// The capability with which it does the task. Nil for a person who was named.
    public let capability: String?
    /// The score of the bot.
    public let score: Score
  }

  /// The result of a decision.
  public enum Outcome: Sendable, Hashable {
    case assign(Choice)
    /// No bot can take it now.
    case wait(Unavailability)
    /// A module's strategy leaves the task in the queue.
    case hold
  }

  /// The strategy that decided.
  public let strategy: AssignmentStrategy
  public let outcome: Outcome
  /// The reason that a module's strategy gave, or why its answer wasn't followed.
  public let note: String?

  init(_ strategy: AssignmentStrategy, _ outcome: Outcome, note: String? = nil) {
    self.strategy = strategy
    self.outcome = outcome
    self.note = note
  }

  /// The chosen bot, if there is one.
  public var choice: Choice? {
    if case .assign(let choice) = outcome { choice } else { nil }
  }

  /// The decision in words, which are stored with the task.
  public var reason: String {
    let words =
      switch outcome {
      case .assign(let choice): Self.words(choice, strategy)
      case .wait(let unavailability): unavailability.description
      case .hold: "\(strategy.name) assigns it to no bot."
      }
    return note.map { "\(words) \($0)" } ?? words
  }

  /// The decision as JSON, with its reason.
  public var json: JSONObject {
    var object: JSONObject = ["strategy": .string(strategy.name)]
    object["bot"] = choice.map { .string($0.bot) } ?? .null
    object["capability"] = (choice?.capability).map(JSONValue.string)
    object["score"] = (choice?.score).map { .object($0.json) }
    object["reason"] = .string(reason)
    return object
  }

  private static func words(_ choice: Choice, _ strategy: AssignmentStrategy) -> String {
    let score = choice.score
    let by = choice.capability.map { " for \"\($0)\"" } ?? ""
    let total = "score \(score.total) (boost \(score.boost), preference \(score.preference))"
    let load = "\(score.load) of \(score.most) tasks"
    return switch strategy {
    case .bestFit: "best_fit\(by): \(total), \(load)."
    case .loadBalanced: "load_balanced\(by): \(load), \(total)."
    case .roundRobin where score.turn == 0: "round_robin\(by): its first turn, \(load)."
    case .roundRobin: "round_robin\(by): its last turn, number \(score.turn), is longest ago."
    case .priorityFirst:
      "priority_first\(by): "
        + "\(score.preference > 0 ? "prefers this priority" : "no capable bot prefers this priority"), \(total), \(load)."
    case .custom(let name): "\(name)\(by): \(total), \(load)."
    }
  }
}
