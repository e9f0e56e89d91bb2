import AgentStore
import BenchSupport
import CStoreProbe

/// The whole log read page by page: by position, and by timestamp through the index.
struct ScanBenchmark {
  let folder: String
  private static let rows = RunLength.choose(full: 500_000, short: 5_000)
  private static let rounds = RunLength.rounds(5)

  func lines() async throws -> [ResultLine] {
    let path = "\(folder)/scan.db"
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: path))
    try await fill(store)
    var own: [Double] = []
    var alone: [Double] = []
    var timed: [Double] = []
    for _ in 0..<Self.rounds {
      own.append(try await rate(store, EventSelection()))
      alone.append(try probe(path))
      timed.append(
        try await rate(store, EventSelection(types: ["machine", "other"], order: .timestamp)))
    }
    await store.close()
    return [
      ResultLine(
        name: "scan by position", unit: "/s", measured: own.median, probe: alone.median,
        ratio: zip(own, alone).map { $0 / $1 }.median),
      ResultLine(name: "scan by timestamp, two types", unit: "/s", measured: timed.median),
    ]
  }

  private func fill(_ store: SQLiteStore) async throws {
    for start in stride(from: 0, to: Self.rows, by: 5000) {
      _ = try await store.write(.single) { transaction in
        try transaction.events.append(
          (start..<(start + 5000)).map { n in
            var event = NewEvent.machine
            event.timestamp += Int64(n)
            if n % 5 == 0 { event.type = "other" }
            return event
          })
      }
    }
  }

  private func rate(_ store: SQLiteStore, _ selection: EventSelection) async throws -> Double {
    let begin = BenchClock.elapsed.now
    var count = 0
    for try await page in store.pages(of: selection) { count += page.count }
    guard count == Self.rows else { throw BenchError("\(count) of \(Self.rows) events were read.") }
    return Double(count) / Double(BenchClock.elapsed.now - begin) * 1e9
  }

  private func probe(_ path: String) throws -> Double {
    let begin = BenchClock.elapsed.now
    var sum: Int64 = 0
    guard store_probe_scan(path, &sum) == Self.rows else { throw BenchError("The probe failed.") }
    return Double(Self.rows) / Double(BenchClock.elapsed.now - begin) * 1e9
  }
}
