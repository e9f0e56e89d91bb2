public import AgentJSON

/// What is to be said of every bot when somebody asks why a task goes where it goes, or nowhere.
public struct Explanation: Sendable, Hashable {
  /// What is to be said of one bot.
  public struct Verdict: Sendable, Hashable {
    /// Whether it could have the task.
    public enum Outcome: Sendable, Hashable {
      /// It could, by this capability; `place` 1 is who gets it.
      case eligible(place: Int, Decision.Choice)
      /// It can't, for all these reasons.
      case refused([Refusal])
    }

    /// The bot's id.
    public let bot: String
    /// Its name.
    public let name: String
    /// Whether it could have the task.
    public let outcome: Outcome
  }

  /// The task's id.
  public let task: String
  /// What is decided.
  public let decision: Decision
  /// Who could have it, the first first; then all others, by their ids.
  public let verdicts: [Verdict]

  /// The same for machines.
  public var json: JSONObject {
    [
      "task": .string(task), "decision": .object(decision.json),
      "bots": .array(verdicts.map { .object($0.json) }),
    ]
  }
}

extension Explanation.Verdict {
  /// In one line, for people.
  public var description: String {
    switch outcome {
    case .eligible(let place, let choice):
      "\(name) (\(bot)): \(place). with score \(choice.score.total) (boost \(choice.score.boost), preference \(choice.score.preference)), \(choice.score.load) of \(choice.score.most) tasks"
    case .refused(let refusals):
      "\(name) (\(bot)): \(refusals.map(\.description).joined(separator: "; "))"
    }
  }

  /// The same for machines.
  public var json: JSONObject {
    var object: JSONObject = ["bot": .string(bot), "name": .string(name)]
    switch outcome {
    case .eligible(let place, let choice):
      object["eligible"] = true
      object["place"] = JSONValue(place)
      object["capability"] = choice.capability.map(JSONValue.string)
      object["score"] = .object(choice.score.json)
    case .refused(let refusals):
      object["eligible"] = false
      object["reasons"] = .array(
        refusals.map { ["code": .string($0.code), "message": .string($0.description)] })
    }
    return object
  }
}
