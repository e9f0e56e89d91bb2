public import AgentJSON

extension BotRoster {
  /// What a module's strategy is asked: the task, and those who could take it now, by their ids.
  public func request(_ task: AssignmentTask) -> JSONObject {
    let choices = ranking(task, by: BestFitOrder.self).sorted { $0.bot < $1.bot }
    let candidates = choices.compactMap { choice -> JSONValue? in
      guard var object = self[choice.bot]?.json else { return nil }
      object["capability"] = choice.capability.map(JSONValue.string)
      object["score"] = .object(choice.score.json)
      return .object(object)
    }
    return ["task": .object(task.json), "candidates": .array(candidates)]
  }

  /// Who gets a task by the answer of a module's strategy: `{"candidate": id, "reason": …}`, where
  /// null leaves the task where it is, and `"ranking": [id, …]` may say who comes next.
  ///
  /// The first who can take it now gets it: since the strategy was asked, others may have been
  /// busy. Where nobody of them can, or the answer isn't one, `best_fit` decides, and
  /// ``Decision/note`` says why.
  public func decide(
    _ task: AssignmentTask, strategy name: String, answer: JSONValue
  ) -> Decision {
    let strategy = AssignmentStrategy.custom(name)
    do throws(AnswerFault) {
      let answer = try CustomAnswer(answer)
      guard !answer.ids.isEmpty else { return Decision(strategy, .hold, note: answer.reason) }
      return try Decision(strategy, .assign(choice(task, answer.ids)), note: answer.reason)
    } catch {
      return fallback(task, from: name, because: error.message)
    }
  }

  /// What is decided where a module's strategy couldn't be asked, or failed.
  /// - Parameter because: a sentence that says why.
  public func fallback(
    _ task: AssignmentTask, from name: String, because: String
  ) -> Decision {
    let decision = decide(task, strategy: .bestFit)
    return Decision(.bestFit, decision.outcome, note: "It replaces \(name): \(because)")
  }

  private func choice(
    _ task: AssignmentTask, _ ids: [String]
  ) throws(AnswerFault) -> Decision.Choice {
    for id in ids {
      var pinned = task
      guard task.pinned == nil || task.pinned == id else { continue }
      pinned.pinned = id
      // Being chosen isn't being asked for by name: who has no capability isn't among those asked.
      if task.pinned == nil, self[id]?.takesByName ?? true { continue }
      if let choice = decide(pinned, strategy: .bestFit).choice { return choice }
    }
    let first = ids[0]
    guard let bot = self[first] else {
      throw AnswerFault("it chose \"\(first)\", which isn't a registered bot.")
    }
    let reasons = refusals(task, bot).map(\.description).joined(separator: "; ")
    throw AnswerFault("it chose \(first), which can't take it: \(reasons).")
  }
}

/// What is wrong with an answer.
struct AnswerFault: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// What a module's strategy answered.
struct CustomAnswer {
  /// The chosen, the first first; none leaves the task where it is.
  let ids: [String]
  let reason: String?

  init(_ value: JSONValue) throws(AnswerFault) {
    guard let object = value.object else {
      throw AnswerFault("its answer is \(value.kind.phrase), not an object.")
    }
    var ids: [String] = []
    guard let candidate = object["candidate"] else {
      throw AnswerFault("its answer has no \"candidate\".")
    }
    if let id = candidate.string {
      ids.append(id)
    } else if !candidate.isNull {
      throw AnswerFault("its \"candidate\" is \(candidate.kind.phrase), not an id or null.")
    }
    if let ranking = object["ranking"], !ids.isEmpty {
      guard let list = ranking.array, list.allSatisfy({ $0.kind == .string }) else {
        throw AnswerFault("its \"ranking\" isn't a list of ids.")
      }
      ids += list.compactMap(\.string).filter { $0 != candidate.string }
    }
    self.ids = ids
    reason = object["reason"]?.string
  }
}
