internal import AgentJSON
internal import AgentTasks
internal import AgentWorkerProtocol

/// A method of `tasks/1`: the check of its input, and the function that answers it.
struct TaskMethod: Sendable {
  let name: String
  let answer: @Sendable (TaskServiceRequest) async throws -> JSONValue
  /// Whether the answer may have megabytes. Then the call waits for its turn (``AnswerTurns``)
  /// before it begins. A method that waits for a task or an offer begins its turn itself, after the
  /// wait.
  let isLarge: Bool
  private let input: InputCheck?

  /// Creates a method.
  /// - Parameter input: the JSON Schema of the input.
  init(
    _ name: String, input: JSONValue, isLarge: Bool = false,
    answer: @escaping @Sendable (TaskServiceRequest) async throws -> JSONValue
  ) {
    self.name = name
    self.input = InputCheck(input, for: name)
    self.answer = answer
    self.isLarge = isLarge
  }

  /// All methods, by name.
  static let all = Dictionary(
    (aboutTasks + aboutBots + aboutAssignments).map { ($0.name, $0) }, uniquingKeysWith: { $1 })

  /// The maximum size of an input, in bytes. One thread parses the long inputs of all workers, one
  /// after another.
  private static let maxBytes = 4 << 20
  private static let limits = JSONLimits(maxDepth: 64, maxBytes: maxBytes)

  /// Returns the method of a call and its input, which has been checked with the method's schema.
  /// An empty input is read as an empty object.
  /// - Throws: `unsupported` for an unknown method, `invalidArgument` for an invalid input.
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

  /// Returns the schema of an input: the members of the API's body, and the values that the API has
  /// in the path and the query.
  /// - Parameters:
  ///   - body: the schema of the API's body; `nil` if there is none.
  ///   - required: the required members, in addition to those of the body.
  ///   - others: the schemas of the path's and the query's values. They replace members of the
  ///     body.
  static func shape(
    _ body: JSONValue? = nil, required: [JSONValue] = [], _ others: JSONObject = [:]
  ) -> JSONValue {
    let properties = TaskSchemas.with(body?["properties"]?.object ?? [:], others)
    return TaskSchemas.object(
      required: (body?["required"]?.array ?? []) + required, properties)
  }

  static let text: JSONValue = ["type": "string"]
  static let limit: JSONValue = ["type": "integer", "minimum": 1, "maximum": 1_000]
  /// A time to wait, in milliseconds: up to one hour.
  static let wait: JSONValue = ["type": "integer", "minimum": 0, "maximum": 3_600_000]
  static let bot: JSONObject = ["id": ["type": "string", "minLength": 1, "maxLength": 200]]
  static let number: JSONObject = ["id": TaskSchemas.number]
}
