public import AgentJSON

/// The agent's answer, with the answers that it was chosen from.
public struct ChatReply: Sendable, Hashable {
  /// The result of one adapter.
  public struct Candidate: Sendable, Hashable {
    /// The adapter's name.
    public let adapter: String
    /// The adapter's answer. `nil` if it had none or failed.
    public let answer: ChatAnswer?
    /// The adapter's error. `nil` if it didn't fail.
    public let problem: ChatError?
  }

  /// The answer with the highest confidence. `nil` if no adapter answered.
  public let answer: ChatAnswer?
  /// The adapter that gave the answer.
  public let adapter: String?
  /// The result of every adapter, in the order of the settings.
  public let candidates: [Candidate]

  /// Chooses the answer with the highest confidence. The first in the order of the settings wins
  /// between equal ones. An answer with confidence 0 is never chosen.
  public init(choosingFrom candidates: [Candidate]) {
    self.candidates = candidates
    var best: (adapter: String, answer: ChatAnswer)?
    for candidate in candidates {
      // Confidence 0 means that the adapter has no answer.
      guard let answer = candidate.answer, answer.confidence > 0 else { continue }
      if let best, best.answer.confidence >= answer.confidence { continue }
      best = (candidate.adapter, answer)
    }
    answer = best?.answer
    adapter = best?.adapter
  }

  /// The reply in the form of the API.
  public var json: JSONValue {
    var reply = JSONObject()
    reply["text"] = answer.map { .string($0.text) } ?? .null
    reply["adapter"] = adapter.map { .string($0) } ?? .null
    reply["confidence"] = answer.confidenceValue
    if let data = answer?.data { reply["data"] = data }
    reply["candidates"] = .array(candidates.map(\.json))
    return .object(reply)
  }
}

extension ChatReply.Candidate {
  var json: JSONValue {
    var candidate: JSONObject = [
      "adapter": .string(adapter), "confidence": answer.confidenceValue,
    ]
    if let problem {
      candidate["error"] = .object([
        "code": .string(problem.code.rawValue), "message": .string(problem.message),
      ])
    }
    return .object(candidate)
  }
}

extension ChatAnswer? {
  /// The confidence as JSON. It is 0 if there is no answer.
  fileprivate var confidenceValue: JSONValue {
    self.flatMap { JSONNumber($0.confidence) }.map(JSONValue.number) ?? 0
  }
}
