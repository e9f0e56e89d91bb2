import AgentJSON
import AgentQueries
import TestSupport
import Testing

/// A window as it is written, and when the window of an output begins.
struct WindowShape: Sendable, CustomTestStringConvertible {
  let text: String
  let every: Int64
  let start: @Sendable (Int64) -> Int64

  init(_ text: String, every: Int64, start: @escaping @Sendable (Int64) -> Int64) {
    self.text = text
    self.every = every
    self.start = start
  }

  var testDescription: String { text }

  static let all = [
    WindowShape("every 100 ms", every: 100) { $0 - 100 },
    WindowShape("over last 100 ms every 100 ms", every: 100) { $0 - 100 },
    WindowShape("over last 1 second every 100 ms", every: 100) { $0 - 1_000 },
    WindowShape("over last 250 ms every 100 ms", every: 100) { $0 - 250 },
    WindowShape("over last 70 ms every 100 ms", every: 100) { $0 - 70 },
    WindowShape("over last 333 ms every 50 ms", every: 50) { $0 - 333 },
    WindowShape("over last 1 ms every 7 ms", every: 7) { $0 - 1 },
    WindowShape("over current second every 300 ms", every: 300) {
      ($0 - 1) - ($0 - 1) % 1_000
    },
    WindowShape("over all every 500 ms", every: 500) { _ in .min },
  ]
}

struct WindowOracleTests {
  /// A stream in the order of arrival: most rows are of the moment, some late, some early.
  private static func stream(_ random: inout SeededGenerator) -> [(clock: Int64, sample: Sample)] {
    var clock: Int64 = 1_000_000
    return (0..<400).map { _ in
      clock += Int64.random(in: 0...20, using: &random)
      if Int.random(in: 0..<40, using: &random) == 0 { clock += 1_500 }
      let shift: Int64 =
        switch Int.random(in: 0..<10, using: &random) {
        case 0: -Int64.random(in: 0...2_000, using: &random)
        case 1: Int64.random(in: 0...400, using: &random)
        case 2: -(clock % 100)
        default: 0
        }
      return (clock, Sample(clock + shift, object(&random)))
    }
  }

  private static func object(_ random: inout SeededGenerator) -> JSONObject {
    var object: JSONObject = ["k": JSONValue(Int.random(in: 0..<4, using: &random))]
    switch Int.random(in: 0..<10, using: &random) {
    case 0: break
    case 1: object["v"] = .null
    case 2: object["v"] = "text"
    case 3: object["v"] = JSONValue(Double(Int.random(in: 0..<40, using: &random)) / 4)
    default: object["v"] = JSONValue(Int.random(in: -3..<12, using: &random))
    }
    return object
  }

  @Test(arguments: WindowShape.all, [1, 2, 3] as [UInt64])
  func `each output equals a recomputation, whatever came late or early`(
    shape: WindowShape, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let run = try QueryRun("x => \(Recomputation.columns) by k \(shape.text)")
    run.start(at: 1_000_000)
    var taken: [Sample] = []
    var seen = 0
    for (clock, sample) in Self.stream(&random) {
      run.advance(to: clock)
      for batch in run.batches[seen...] { check(batch, taken: taken, shape: shape) }
      seen = run.batches.count
      run.take(sample)
      taken.append(sample)
    }
    #expect(seen > 20)
  }

  private func check(_ batch: QueryBatch, taken: [Sample], shape: WindowShape) {
    let start = shape.start(batch.time)
    let rows = taken.filter { $0.time >= max(start, 1_000_000) && $0.time < batch.time }
    let groups = Dictionary(grouping: rows) { $0.object["k"] ?? .null }
    #expect(batch.time % shape.every == 0)
    #expect(Set(batch.rows.compactMap { $0["k"] }) == Set(groups.keys), "at \(batch.time)")
    for row in batch.rows {
      let expected = Recomputation.row(groups[row["k"] ?? .null] ?? [])
      #expect(Recomputation.difference(row, expected) == nil, "at \(batch.time)")
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `windows counted in rows equal a recomputation`(seed: UInt64) throws {
    for example in [
      (text: "over last 10 items every item", length: 10, every: 1),
      (text: "every 7 items", length: 7, every: 7),
      (text: "over last 10 items every 4 items", length: 10, every: 4),
      (text: "over all every 5 items", length: 1_000, every: 5),
    ] {
      var random = SeededGenerator(seed: seed)
      let run = try QueryRun("x => \(Recomputation.columns) by k \(example.text)")
      run.start(at: 1_000_000)
      var taken: [JSONValue: [Sample]] = [:]
      for (clock, sample) in Self.stream(&random) where sample.time >= 1_000_000 {
        run.advance(to: clock)
        let before = run.batches.count
        run.take(sample)
        let key = sample.object["k"] ?? .null
        taken[key, default: []].append(sample)
        let group = taken[key] ?? []
        #expect(run.batches.count - before == (group.count % example.every == 0 ? 1 : 0))
        guard group.count % example.every == 0, let row = run.batches.last?.rows.first else {
          continue
        }
        let expected = Recomputation.row(group.suffix(example.length))
        #expect(
          Recomputation.difference(row, expected) == nil, "\(example.text), row \(group.count)")
      }
    }
  }
}
