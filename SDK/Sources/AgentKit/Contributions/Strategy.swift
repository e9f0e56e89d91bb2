/// Chooses the bot for a task.
public protocol Strategy: Contribution {
  /// Chooses one of the candidates, or none for now. Called often: decide from the request alone.
  func choose(_ request: AssignmentRequest) async throws -> Assignment
}

/// A task and the bots that could take it.
public struct AssignmentRequest: Sendable, Hashable {
  /// A bot that could take the task.
  public struct Candidate: Sendable, Hashable {
    /// The id that ``Assignment/candidate`` names.
    public var id: String
    /// All fields that the host sends about the bot, `id` included.
    public var details: JSONValue

    /// Makes a candidate.
    public init(id: String, details: JSONValue = .object([:])) {
      self.id = id
      self.details = details
    }
  }

  /// The task: `id`, `type`, `priority` and any further fields that the host sends.
  public var task: JSONValue
  /// The bots that could take the task, in no particular order.
  public var candidates: [Candidate]

  /// Makes a request.
  public init(task: JSONValue, candidates: [Candidate]) {
    self.task = task
    self.candidates = candidates
  }
}

extension AssignmentRequest {
  init(_ node: JSONNode) throws(ModuleError) {
    guard let task = node["task"], let list = node["candidates"], list.kind == .array else {
      throw ModuleError(.invalidArgument, "An assignment needs a \"task\" and \"candidates\".")
    }
    var candidates: [Candidate] = []
    for element in list.elements {
      guard let id = element["id"]?.string else {
        throw ModuleError(.invalidArgument, "A candidate needs an \"id\".")
      }
      candidates.append(Candidate(id: id, details: element.value))
    }
    self.init(task: task.value, candidates: candidates)
  }
}

/// The bot that gets a task, and the reason.
public struct Assignment: Sendable, Hashable {
  /// The chosen candidate's id; `nil` leaves the task where it is.
  public var candidate: String?
  /// A sentence for people who ask why.
  public var reason: String?
  /// The ids of the next candidates, best first, if the chosen one can't take the task any more.
  public var ranking: [String]

  /// Makes an assignment.
  public init(to candidate: String?, reason: String? = nil, ranking: [String] = []) {
    self.candidate = candidate
    self.reason = reason
    self.ranking = ranking
  }

  var json: JSONValue {
    var object: JSONObject = ["candidate": candidate.map(JSONValue.string) ?? .null]
    object["reason"] = reason.map(JSONValue.string)
    if !ranking.isEmpty { object["ranking"] = .array(ranking.map(JSONValue.string)) }
    return .object(object)
  }
}
