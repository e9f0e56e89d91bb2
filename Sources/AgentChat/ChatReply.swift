public import AgentJSON

/// What the agent answers, and how it came about.
public struct ChatReply: Sendable, Hashable {
  /// One adapter's part in it.
  public struct Candidate: Sendable, Hashable {
    /// The adapter's name.
    public let adapter: String
    /// Its answer, nil where it had none or failed.
    public let answer: ChatAnswer?
    /// Why it failed.
    public let problem: ChatError?
  }

  /// The answer with the highest confidence; nil when no adapter answered.
  public let answer: ChatAnswer?
  /// The adapter that gave the answer.
  public let adapter: String?
  /// Every adapter that was asked, in the order of the settings.
  public let candidates: [Candidate]

  /// Chooses: the highest confidence wins, of equals the first in the settings; zero never wins.
  public init(choosingFrom candidates: [Candidate]) {
    self.candidates = candidates
    var best: (adapter: String, answer: ChatAnswer)?
    for candidate in candidates {
      guard let answer = candidate.answer, answer.confidence > 0 else { continue }
      if let best, best.answer.confidence >= answer.confidence { continue }
      best = (candidate.adapter, answer)
    }
    answer = best?.answer
    adapter = best?.adapter
  }

  /// The reply as the API gives it.
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
  /// The confidence as JSON; 0 where there is no answer.
  fileprivate var confidenceValue: JSONValue {
    self.flatMap { JSONNumber($0.confidence) }.map(JSONValue.number) ?? 0
  }
}
