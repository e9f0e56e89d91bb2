public import AgentJSON

extension BotRoster {
  /// The input of a module's strategy: the task, and the bots that could take it now, sorted by id.
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

  /// Decides with the answer of a module's strategy: `{"candidate": id, "reason": …}`. A null
  /// candidate leaves the task in the queue. `"ranking": [id, …]` may name the next choices.
  ///
  /// The first named bot that can take the task now gets it, because other bots may have become
  /// busy since the request. Where none can, or the answer is invalid, `best_fit` decides and
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

  /// Decides where a module's strategy couldn't be asked or failed.
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
      // A strategy's choice isn't a name in the task. A bot without capabilities wasn't a
      // candidate.
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

/// The fault in a strategy's answer.
struct AnswerFault: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// The answer of a module's strategy.
struct CustomAnswer {
  /// The chosen bots, the first choice first. Empty leaves the task in the queue.
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
