import AgentJSON
import BenchSupport
import Foundation

/// The schemas and documents that all validators are given, as files.
struct Documents {
  struct Case {
    let name: String
    let schema: String
    let document: String
    /// How many times as fast as jsonschema-rs it has to be, for a parsed document and for bytes.
    let target: Double?
    let parsingTarget: Double?

    func bytes() throws -> [UInt8] { try Documents.bytes(document) }
    func schemaValue() throws -> JSONValue { try JSONValue(parsing: Documents.bytes(schema)) }
  }

  let cases: [Case]

  init(folder: String, metaschema: String) {
    func own(_ name: String, target: Double?, parsingTarget: Double?) -> Case {
      Case(
        name: name, schema: "\(folder)/\(name).schema.json", document: "\(folder)/\(name).json",
        target: target, parsingTarget: parsingTarget)
    }
    let meta = Case(
      name: "metaschema", schema: metaschema, document: metaschema, target: 2, parsingTarget: 4)
    cases = [
      own("settings", target: 2.5, parsingTarget: 4), meta,
      own("records", target: nil, parsingTarget: 4), own("api", target: nil, parsingTarget: 4),
      own("pipeline", target: nil, parsingTarget: 4), own("agent", target: nil, parsingTarget: 4),
    ]
  }

  /// The case of a name; there is one for each name in `init`.
  func named(_ name: String) throws -> Case {
    guard let found = cases.first(where: { $0.name == name }) else { throw BenchError(name) }
    return found
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else { throw BenchError(path) }
    return Array(data)
  }
}
