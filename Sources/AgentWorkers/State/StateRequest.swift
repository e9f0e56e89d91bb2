internal import AgentJSON
internal import AgentStore
internal import AgentWorkerProtocol
internal import JSONSchema

/// A request to `state/1`, read from a call of a worker. docs/state.md has the shapes.
enum StateRequest: Sendable {
  case get([String])
  case list(StateListing)
  case write([StateChange])
  case history(String)
  case limits

  /// The maximum number of keys in one request.
  static let maxCount = 1000
  /// The maximum size of an input, in bytes. One thread parses the long inputs of all workers, one
  /// after another.
  static let maxBytes = 16 << 20
  /// The maximum number of nested arrays and objects in a value. It keeps the nesting of answers
  /// within the limit of parsers.
  static let maxDepth = 60
  /// The limits of a request. It has three levels more than a value, because the value is in a
  /// change, in a list, in an object.
  private static let jsonLimits = JSONLimits(maxDepth: maxDepth + 3)

  /// Reads the input of a call.
  /// - Throws: `unsupported` for an unknown method, `invalidArgument` with the problem and its
  ///   place in the input.
  init(method: String, input: [UInt8]) throws(WorkerError) {
    let root = try Self.checked(method, input)
    switch method {
    case "get": self = .get(root["keys"]?.elements.compactMap(\.string) ?? [])
    case "list": self = .list(StateListing(root))
    case "write": self = .write(try Self.changes(root))
    case "history": self = .history(root["key"]?.string ?? "")
    default: self = .limits
    }
  }

  private static func checked(_ method: String, _ input: [UInt8]) throws(WorkerError) -> JSONNode {
    guard let schema = schemas[method] else {
      throw WorkerError(
        .unsupported,
        "state/1 has no \"\(method)\"; it has get, list, write, history and limits.")
    }
    guard input.count <= maxBytes else {
      throw WorkerError(
        .invalidArgument,
        "The input of \(method) has \(input.count) bytes; \(maxBytes) is the most. Ask in "
          + "several calls.")
    }
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: input, limits: jsonLimits)
    } catch {
      throw WorkerError(.invalidArgument, "The input of \(method) can't be read: \(error)")
    }
    let failures = schema.validate(document.root).filter { $0.severity == .error }
    guard let failure = failures.first else { return document.root }
    let place = "\(failure.instance)"
    throw WorkerError(
      .invalidArgument,
      "The input of \(method) is wrong\(place.isEmpty ? "" : " at \(place)"): \(failure.message)")
  }

  private static func changes(_ root: JSONNode) throws(WorkerError) -> [StateChange] {
    var changes: [StateChange] = []
    guard let elements = root["changes"]?.elements else { return [] }
    for change in elements {
      let key = change["key"]?.string ?? ""
      let expected = try version(change["expected"], of: key)
      switch (change["value"], change["remove"]) {
      case (let value?, nil):
        changes.append(StateChange(key: key, value: value.value.bytes(), expected: expected))
      case (nil, _?): changes.append(StateChange(key: key, value: nil, expected: expected))
      case (nil, nil):
        guard let expected else {
          throw WorkerError(
            .invalidArgument,
            "The change of \"\(key)\" says nothing: give it a \"value\", \"remove\": true, or the "
              + "\"expected\" version of a key that stays as it is.")
        }
        changes.append(.check(key, expected: expected))
      case (_?, _?):
        throw WorkerError(
          .invalidArgument, "The change of \"\(key)\" has a \"value\" and \"remove\": choose one.")
      }
    }
    return changes
  }

  /// Returns the expected version of a key, or `nil` if the change has none. A version that no key
  /// can have is refused. If it were ignored, the write would overwrite any version.
  /// - Throws: `invalidArgument` if it isn't a whole number from 0 to `Int64.max`.
  private static func version(
    _ node: JSONNode?, of key: String
  ) throws(WorkerError) -> Int64? {
    guard let node else { return nil }
    guard let version = node.int.flatMap({ Int64(exactly: $0) }), version >= 0 else {
      throw WorkerError(
        .invalidArgument,
        "The \"expected\" version of \"\(key)\" is a whole number from 0 to \(Int64.max).")
    }
    return version
  }
}

/// The selection of a page of an owner's keys.
struct StateListing: Sendable {
  static let usualLimit = 100
  var prefix = ""
  var after: String?
  var limit = usualLimit
  var hasValues = true

  init(prefix: String = "", after: String? = nil, limit: Int = usualLimit, hasValues: Bool = true) {
    self.prefix = prefix
    self.after = after
    self.limit = limit
    self.hasValues = hasValues
  }

  init(_ root: JSONNode) {
    prefix = root["prefix"]?.string ?? ""
    after = root["after"]?.string
    limit = root["limit"]?.int ?? Self.usualLimit
    hasValues = root["values"]?.bool ?? true
  }
}
