internal import AgentJSON
internal import JSONSchema

/// Answers the requests of Bowtie, which compares implementations of JSON Schema. Version 1 of its
/// protocol has a JSON object a line (https://docs.bowtie.report/en/stable/implementers/).
struct BowtieHarness {
  /// The reaction to a request.
  enum Answer {
    case reply(JSONValue)
    case stop
    /// The request isn't part of the protocol, or it comes too early.
    case refuse(String)
  }

  private var hasStarted = false
  private var dialect = SchemaDialect.draft2020

  /// Answers one line.
  mutating func answer(_ line: [UInt8]) -> Answer {
    let request: JSONValue
    do {
      // Test cases nest deeper than the usual limit.
      let limits = JSONLimits(maxDepth: 512)
      request = try JSONDocument(parsing: line, limits: limits).root.value
    } catch {
      return .refuse("A request is a JSON object on a line: \(error)")
    }
    let command = request["cmd"]?.string ?? ""
    guard command == "start" || hasStarted else {
      return .refuse("The first request must be \"start\", not \"\(command)\".")
    }
    switch command {
    case "start": return start(request)
    case "dialect": return .reply(["ok": .bool(choose(request["dialect"]?.string))])
    case "run": return .reply(run(request))
    case "stop": return .stop
    default: return .refuse("The commands are start, dialect, run and stop; found \"\(command)\".")
    }
  }

  private mutating func start(_ request: JSONValue) -> Answer {
    guard request["version"]?.int == 1 else {
      return .refuse("Only version 1 of the protocol is supported.")
    }
    hasStarted = true
    // The protocol requires three addresses (format "uri"). Bulkhead has no public ones, and none
    // are made up. The text of this address says that.
    let none: JSONValue = "data:,bulkhead%20has%20no%20public%20address%20yet."
    return .reply([
      "version": 1,
      "implementation": [
        "language": "swift", "name": "bulkhead", "version": .string(Version.text),
        "homepage": none, "issues": none, "source": none,
        "dialects": .array(SchemaDialect.allCases.sorted(by: >).map { .string($0.uri) }),
      ],
    ])
  }

  private mutating func choose(_ uri: String?) -> Bool {
    guard let known = SchemaDialect.allCases.first(where: { $0.uri == uri }) else { return false }
    dialect = known
    return true
  }

  private func run(_ request: JSONValue) -> JSONValue {
    let sequence = request["seq"] ?? .null
    guard let schema = request["case"]?["schema"], let tests = request["case"]?["tests"]?.array
    else { return Self.error("The case has no schema or no tests.", sequence) }
    var registry = SchemaRegistry()
    for (uri, schema) in request["case"]?["registry"]?.object ?? [:] {
      registry.register(uri, schema)
    }
    do {
      let compiled = try Schema(
        schema, registry: registry, options: SchemaOptions(dialect: dialect))
      let results = tests.map { test -> JSONValue in
        ["valid": .bool(compiled.isValid(test["instance"] ?? .null))]
      }
      return ["seq": sequence, "results": .array(results)]
    } catch {
      return Self.error(error.description, sequence)
    }
  }

  private static func error(_ message: String, _ sequence: JSONValue) -> JSONValue {
    ["seq": sequence, "errored": true, "context": ["message": .string(message)]]
  }
}
