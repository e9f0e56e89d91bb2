import AgentJSON
import TestSupport
import Testing

@testable import AgentQueries

/// The limits of rows and outputs count the bytes that leave the host.
@Suite struct TextBytesTests {
  private func run(_ text: String, _ rows: [JSONObject], _ timing: QueryTiming) throws -> (
    batches: [QueryBatch], warnings: [String], losses: QueryLosses
  ) {
    let query = RunningQuery(
      try QueryPlan(Query(parsing: text)), span: try QuerySpan(parsing: "from ts 0 to ts 9000"),
      timing: timing)
    var messages = query.start(at: 10_000)
    for (index, row) in rows.enumerated() {
      messages += query.take(row, at: Int64(index + 1), matched: true)
    }
    messages += query.endHistory(at: 10_000)
    var batches: [QueryBatch] = []
    var warnings: [String] = []
    for message in messages {
      if case .event(let batch) = message { batches.append(batch) }
      if case .warning(let text) = message { warnings.append(text) }
    }
    return (batches, warnings, query.losses)
  }

  /// A value of any kind and depth, with texts that need escapes.
  private func value(_ random: inout SeededGenerator, depth: Int = 0) -> JSONValue {
    switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return JSONValue(Int.random(in: -1_000_000...1_000_000, using: &random))
    case 3...5: return .string(text(&random))
    case 6:
      return .array(
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in
          value(&random, depth: depth + 1)
        })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0..<5, using: &random) {
        object[text(&random)] = value(&random, depth: depth + 1)
      }
      return .object(object)
    }
  }

  private func text(_ random: inout SeededGenerator) -> String {
    String(
      String.UnicodeScalarView(
        (0..<Int.random(in: 0..<12, using: &random)).compactMap { _ in
          let code = UInt32.random(in: 0..<0x100, using: &random)
          return Unicode.Scalar(Bool.random(using: &random) ? code : code &* 0x101)
        }))
  }

  @Test func `a value takes at least the bytes of its JSON text, and few more`() {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<5_000 {
      let value = value(&random)
      var space = 1 << 20
      #expect(value.takeTextBytes(from: &space))
      let (taken, written) = ((1 << 20) - space, value.bytes().count)
      #expect(taken >= written && taken <= written * 2 + 4, "\(value.text())")
    }
  }

  @Test func `control characters count as they are written`() throws {
    var timing = QueryTiming(lateness: 0)
    timing.rowBytes = 60_000
    let text = String(repeating: "\u{1}", count: 9_000)
    let (batches, warnings, losses) = try run(
      "* => text as a, text as b, 7 as c", [["text": .string(text)]], timing)
    #expect(batches.flatMap(\.rows).map { $0["a"] } == [.string(text)])
    // In memory both have 18,000 bytes. As JSON each has 54,000.
    #expect(batches.flatMap(\.rows).map { $0["b"] } == [.null])
    #expect(batches.flatMap(\.rows).map { $0["c"] } == [7])
    #expect(losses.bytes == 1)
    #expect(warnings.contains { $0.contains("more than 60000 bytes") })
    let size = batches.flatMap(\.rows).reduce(0) { $0 + JSONValue.object($1).bytes().count }
    #expect(size <= 60_000 && batches.reduce(0) { $0 + $1.textBytes } >= size)
  }

  @Test func `the rows of one moment have a limit of bytes as JSON`() throws {
    var timing = QueryTiming(lateness: 0)
    timing.outputBytes = 100_000
    let rows = (0..<30).map { n -> JSONObject in
      ["k": JSONValue(n), "text": .string(String(repeating: "\u{1}", count: 1_000))]
    }
    let (batches, warnings, losses) = try run(
      "* => last(text) as t by k at the end", rows, timing)
    let count = batches.reduce(0) { $0 + $1.rows.count }
    #expect(count == 16)
    #expect(losses.outputs == 14)
    #expect(warnings.contains { $0.contains("14 rows were left out") && $0.contains("100000") })
  }

  @Test func `a query whose memory is refused ends with the reason`() throws {
    let query = RunningQuery(
      try QueryPlan(Query(parsing: "* => list(text) as l at the end")), span: .all.past,
      report: { $0 > 500_000 ? "Others need it." : nil })
    _ = query.start(at: 10_000)
    let text = JSONValue.string(String(repeating: "x", count: 100_000))
    var messages: [QueryMessage] = []
    var taken = 0
    while query.isRunning, taken < 20 {
      taken += 1
      messages += query.take(["text": text], at: Int64(taken), matched: true)
    }
    #expect(taken < 10)
    #expect(messages.suffix(2) == [.warning("Others need it."), .stop(reason: .limit)])
  }
}
