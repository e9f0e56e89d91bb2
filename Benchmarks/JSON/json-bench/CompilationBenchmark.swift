import AgentJSON
import BenchSupport
import JSONSchema

/// How long it takes to compile a schema that is parsed already.
struct CompilationBenchmark {
  /// The longest that the small schema may take.
  static let maxMicroseconds = 50.0

  let documents: Documents

  func text() throws -> String {
    let lines = try documents.cases.map { item in
      let schema = try item.schemaValue()
      let outcomes = try Rate.outcomes([{ try Rate.seconds($0) { _ = try Schema(schema) } }])
      let microseconds = 1e6 / (outcomes[0]?.rate ?? 0)
      let hasTarget = item.name == "settings" && !RunLength.isShort
      let verdict =
        !hasTarget
        ? "" : microseconds <= Self.maxMicroseconds ? " (at most 50: yes)" : " (at most 50: NO)"
      return "compile \(item.name): \(Int(microseconds.rounded())) µs\(verdict)"
    }
    return lines.joined(separator: "\n")
  }
}
