import AgentJSON
import AgentQueries
import BenchSupport

/// Events in memory, and the loop that they are compared with.
struct BenchEvents {
  /// How many values the field `pair` has.
  static let keys = 1_000
  private let objects: [JSONObject]

  init() {
    objects = (0..<8_192).map { number in
      [
        "type": .string("tick\(number % 10)"), "source": "bench", "timestamp": 0,
        "pair": .string("pair\(number * 7_919 % Self.keys)"),
        "price": JSONValue(number * 104_729 % 100_000),
        "volume": JSONValue(Double(number % 97) / 8),
      ]
    }
  }

  /// The event of a number; they repeat.
  subscript(number: Int) -> JSONObject { objects[number & 8_191] }

  /// Nanoseconds an event of the plainest loop: a dictionary from key to number.
  func loop() throws(BenchError) -> Double {
    var counts: [String: Int] = [:]
    let time = nanoseconds(of: RunLength.choose(full: 1_000_000, short: 10_000)) { number in
      if let pair = self[number]["pair"]?.string { counts[pair, default: 0] += 1 }
    }
    guard counts.count == Self.keys else { throw BenchError("The loop counted \(counts.count).") }
    return time
  }
}

/// Nanoseconds of CPU time that `body` takes a time.
func nanoseconds(of count: Int, _ body: (Int) -> Void) -> Double {
  BenchClock.process.time { for number in 0..<count { body(number) } } / Double(count)
}

/// How many rows messages bring.
func rows(_ messages: [QueryMessage]) -> Int {
  messages.reduce(0) { if case .event(let batch) = $1 { $0 + batch.rows.count } else { $0 } }
}

/// The plan of a query that has to be right.
func plan(_ text: String) throws(BenchError) -> QueryPlan {
  do throws(QueryError) {
    return try QueryPlan(Query(parsing: text))
  } catch {
    throw BenchError("\(error)")
  }
}
