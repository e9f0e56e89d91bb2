import AgentStore
import BenchSupport

/// 64 producers with 4 writes each under way, every write one event, durable.
struct AppendBenchmark {
  let folder: String
  private static let producers = 64
  private static let outstanding = 4
  private static let rounds = RunLength.rounds(7)
  private static let writes = RunLength.choose(full: 200, short: 2)

  private static func groups(_ full: Int) -> Int { RunLength.choose(full: full, short: 5) }

  func lines() async throws -> [ResultLine] {
    let probe = try await Probe(path: "\(folder)/append-probe.db")
    let store = try await SQLiteStore.open(
      SQLiteStoreConfiguration(path: "\(folder)/append.db"))
    _ = try await rate(store)
    var own: [Double] = []
    var same: [Double] = []
    var hundred: [Double] = []
    var groups: [Double] = []
    for _ in 0..<Self.rounds {
      let before = store.statistics
      own.append(try await rate(store))
      let after = store.statistics
      let group = Double(after.writes - before.writes) / Double(after.commits - before.commits)
      groups.append(group)
      same.append(try probe.rate(groups: Self.groups(300), rows: max(1, Int(group.rounded()))))
      hundred.append(try probe.rate(groups: Self.groups(400), rows: 100))
    }
    await store.close()
    return [
      line(
        "durable append, 256 outstanding; SQLite at the same group", own: own, probe: same,
        least: 0.6),
      line(
        "durable append, 256 outstanding; SQLite at groups of 100", own: own, probe: hundred,
        least: 0.45),
      ResultLine(name: "events in a transaction", unit: "", measured: groups.median),
    ]
  }

  private func line(
    _ name: String, own: [Double], probe: [Double], least: Double
  ) -> ResultLine {
    ResultLine(
      name: name, unit: "/s", measured: own.median, probe: probe.median,
      ratio: zip(own, probe).map { $0 / $1 }.median, target: .atLeast(least))
  }

  private func rate(_ store: SQLiteStore) async throws -> Double {
    let begin = BenchClock.elapsed.now
    try await withThrowingTaskGroup { tasks in
      for _ in 0..<(Self.producers * Self.outstanding) {
        tasks.addTask {
          for _ in 0..<Self.writes {
            _ = try await store.write(.single) { try $0.events.append([.machine]) }
          }
        }
      }
      try await tasks.waitForAll()
    }
    return Double(Self.producers * Self.outstanding * Self.writes)
      / Double(BenchClock.elapsed.now - begin) * 1e9
  }
}
