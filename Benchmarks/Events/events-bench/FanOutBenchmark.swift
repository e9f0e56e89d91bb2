import AgentEvents
import AgentJSON
import AgentStore
import BenchSupport
import Synchronization

/// Events to ten subscribers in the host, who take them: a bus with a log, events that aren't
/// stored.
struct FanOutBenchmark {
  static let subscribers = 10
  /// Deliveries in a round.
  private static let deliveries = RunLength.choose(full: 2_000_000, short: 20_000)
  let folder: String

  private let objects: [JSONObject] = (0..<1_000).map { number in
    [
      "type": .string("tick"), "timestamp": JSONValue(1_795_318_779_935 + number),
      "source": "bench", "pair": .string("pair\(number % 100)"), "price": JSONValue(number * 7),
      "__skipstorage": true,
    ]
  }

  init(folder: String) { self.folder = folder }

  func results() async throws -> [BenchResult] {
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder)/fan-out.db"))
    defer { Task { await store.close() } }
    let same = Array(repeating: "tick", count: Self.subscribers)
    let different = (0..<Self.subscribers).map { "tick price:[0 TO *] -pair:none\($0)" }
    return [
      try await result(
        "to 10 subscribers, batches of 100", queries: same, size: 100, store: store,
        target: .atMost(100)),
      try await result(
        "the same, one at a time", queries: same, size: 1, store: store, target: .none),
      try await result(
        "the same, ten different filters, batches of 100", queries: different, size: 100,
        store: store, target: .none),
    ]
  }

  private func result(
    _ name: String, queries: [String], size: Int, store: SQLiteStore, target: BenchResult.Target
  ) async throws -> BenchResult {
    var rounds: [(measured: Double, probe: Double)] = []
    for _ in 0..<RunLength.rounds(5) {
      let probe = try QueueProbe(queues: queries.count).run(deliveries: Self.deliveries, size: size)
      rounds.append((try await run(queries, size: size, store: store), probe))
    }
    return BenchResult(
      name: "a delivery \(name)", unit: "ns", rounds: rounds, target: target)
  }

  /// Nanoseconds a delivery.
  private func run(_ queries: [String], size: Int, store: SQLiteStore) async throws -> Double {
    let bus = EventBus(now: { 1_795_318_779_935 })
    try await bus.open(store)
    let taken = Mutex((events: 0, last: Int64(0)))
    let subscriptions = try queries.map { text in
      bus.subscribe(to: try EventQuery(parsing: text), capacity: 4_096) { subscription in
        let events = subscription.take(1_024).events
        var last: Int64 = 0
        for event in events { last = max(last, event.timestamp) }
        taken.withLock { $0 = ($0.events + events.count, max($0.last, last)) }
      }
    }
    let batches = stride(from: 0, to: objects.count, by: size).map {
      Array(objects[$0..<min($0 + size, objects.count)])
    }
    let rounds = Self.deliveries / queries.count / objects.count
    let time = try BenchClock.process.time {
      for _ in 0..<rounds {
        for batch in batches { try bus.publish(batch, source: "bench") }
      }
    }
    for subscription in subscriptions { bus.unsubscribe(subscription) }
    let (events, _) = taken.withLock { $0 }
    guard events == rounds * objects.count * queries.count else {
      throw BenchError("\(events) deliveries arrived.")
    }
    return time / Double(events)
  }
}
