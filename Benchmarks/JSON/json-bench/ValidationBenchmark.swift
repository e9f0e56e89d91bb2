import AgentJSON
import BenchSupport
import JSONSchema

/// Yes or no, for a document that is parsed already and for bytes.
struct ValidationBenchmark {
  let documents: Documents
  /// Without them their columns are empty.
  let peers: Peers?

  func rows() throws -> [RateTable.Row] {
    try documents.cases.flatMap { item in
      let schema = try Schema(item.schemaValue())
      let bytes = try item.bytes()
      let root = try JSONDocument(parsing: bytes).root
      guard schema.isValid(root) else { throw BenchError("\(item.name) doesn't fit its schema") }
      return [
        try row("\(item.name), parsed", mode: "validate", item: item, target: item.target) {
          schema.isValid(root)
        },
        try row(
          "\(item.name), \(bytes.count) bytes", mode: "parse", item: item,
          target: item.parsingTarget
        ) {
          try schema.isValid(JSONDocument(parsing: bytes).root)
        },
      ]
    }
  }

  private func row(
    _ name: String, mode: String, item: Documents.Case, target: Double?,
    check: @escaping () throws -> Bool
  ) throws -> RateTable.Row {
    let own: (Int) throws -> Double? = { count in
      try Rate.seconds(count) {
        if try !check() { throw BenchError("\(name) doesn't fit") }
      }
    }
    let others = Peers.validators.map { validator -> (Int) throws -> Double? in
      { count in try peers?.seconds(validator, mode: mode, item: item, count: count) }
    }
    return RateTable.Row(
      name: name, outcomes: try Rate.outcomes([own] + others), target: target)
  }
}
