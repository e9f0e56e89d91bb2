public import AgentJSON

/// The explanation of a decision: a verdict on each bot.
public struct Explanation: Sendable, Hashable {
  /// The verdict on one bot.
  public struct Verdict: Sendable, Hashable {
    /// Whether it could have the task.
    public enum Outcome: Sendable, Hashable {
      /// The bot could take the task with this capability. The bot at `place` 1 gets it.
      case eligible(place: Int, Decision.Choice)
      /// The bot can't take the task, for all these reasons.
      case refused([Refusal])
    }

    public let bot: String
    public let name: String
    public let outcome: Outcome
  }

  public let task: String
  public let decision: Decision
  /// The bots that could take the task, the best first, and then all others by their ids.
  public let verdicts: [Verdict]

  /// The explanation as JSON.
  public var json: JSONObject {
    [
      "task": .string(task), "decision": .object(decision.json),
      "bots": .array(verdicts.map { .object($0.json) }),
    ]
  }
}

extension Explanation.Verdict {
  /// The verdict in one line, for people.
  public var description: String {
    switch outcome {
    case .eligible(let place, let choice):
      "\(name) (\(bot)): \(place). with score \(choice.score.total) (boost \(choice.score.boost), preference \(choice.score.preference)), \(choice.score.load) of \(choice.score.most) tasks"
    case .refused(let refusals):
      "\(name) (\(bot)): \(refusals.map(\.description).joined(separator: "; "))"
    }
  }

  /// The verdict as JSON.
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
