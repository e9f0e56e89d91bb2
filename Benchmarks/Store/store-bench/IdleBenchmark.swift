import AgentStore
import BenchSupport

/// One write at a time, with nothing else to do, beside a commit of SQLite alone.
struct IdleBenchmark {
  let folder: String
  private static let rounds = RunLength.rounds(7)
  private static let writes = RunLength.choose(full: 300, short: 20)

  func lines() async throws -> [ResultLine] {
    let probe = try await Probe(path: "\(folder)/idle-probe.db")
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder)/idle.db"))
    var (own, alone): ([Double], [Double]) = ([], [])
    for _ in 0..<Self.rounds {
      own.append(try await durations(store).median / 1000)
      alone.append(try probe.append(groups: Self.writes, rows: 1).median / 1000)
    }
    await store.close()
    return [
      ResultLine(
        name: "one durable write, idle, p50", unit: "µs", measured: own.median,
        probe: alone.median, ratio: zip(own, alone).map { $0 / $1 }.median, target: .atMost(1.5))
    ]
  }

  private func durations(_ store: SQLiteStore) async throws -> [Double] {
    var durations: [Double] = []
    for _ in 0..<Self.writes {
      let begin = BenchClock.elapsed.now
      _ = try await store.write(.single) { try $0.events.append([.machine]) }
      durations.append(Double(BenchClock.elapsed.now - begin))
    }
    return durations
  }
}
