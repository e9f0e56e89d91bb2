internal import AgentJSON
internal import AgentTasks
internal import AgentWorkerProtocol

/// A method of `tasks/1`: its input, and what answers it.
struct TaskMethod: Sendable {
  let name: String
  let answer: @Sendable (TaskServiceRequest) async throws -> JSONValue
  /// Whether its answer may have megabytes, so that it is made in turn (``AnswerTurns``). One that
  /// waits begins its turn by itself, after the wait.
  let isLarge: Bool
  private let input: InputCheck?

  /// - Parameter input: the JSON Schema of what it takes.
  init(
    _ name: String, input: JSONValue, isLarge: Bool = false,
    answer: @escaping @Sendable (TaskServiceRequest) async throws -> JSONValue
  ) {
    self.name = name
    self.input = InputCheck(input, for: name)
    self.answer = answer
    self.isLarge = isLarge
  }

  static let all = Dictionary(
    (aboutTasks + aboutBots + aboutAssignments).map { ($0.name, $0) }, uniquingKeysWith: { $1 })

  /// The longest input: one thread reads the long ones of all workers, one after the other.
  private static let maxBytes = 4 << 20
  private static let limits = JSONLimits(maxDepth: 64, maxBytes: maxBytes)

  /// The method of a call, and its input, which has the shape that the method asks for.
  static func read(
    _ name: String, _ input: [UInt8]
  ) throws(WorkerError) -> (TaskMethod, JSONDocument) {
    guard let method = all[name] else {
      throw WorkerError(
        .unsupported,
        "tasks/1 has no \"\(name)\"; it has \(all.keys.sorted().joined(separator: ", ")).")
    }
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: input.isEmpty ? Array("{}".utf8) : input, limits: limits)
    } catch {
      throw WorkerError(.invalidArgument, "The input of \(name) can't be read: \(error)")
    }
    let problems = method.input?.problems(with: document.root.value) ?? []
    guard problems.isEmpty else {
      throw WorkerError(.invalidArgument, problems.joined(separator: " "))
    }
    return (method, document)
  }

  // MARK: Shapes

  /// The shape of a body with what the API has in the path and the query.
  static func shape(
    _ body: JSONValue? = nil, required: [JSONValue] = [], _ others: JSONObject = [:]
  ) -> JSONValue {
    let properties = TaskSchemas.with(body?["properties"]?.object ?? [:], others)
    return TaskSchemas.object(
      required: (body?["required"]?.array ?? []) + required, properties)
  }

  static let text: JSONValue = ["type": "string"]
  static let limit: JSONValue = ["type": "integer", "minimum": 1, "maximum": 1_000]
  static let wait: JSONValue = ["type": "integer", "minimum": 0, "maximum": 3_600_000]
  static let bot: JSONObject = ["id": ["type": "string", "minLength": 1, "maxLength": 200]]
  static let number: JSONObject = ["id": TaskSchemas.number]
}
