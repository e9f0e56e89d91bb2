import AgentJSON
import AgentQueries

/// An event with its time, as a log would hold it.
struct Sample {
  let time: Int64
  let object: JSONObject

  init(_ time: Int64, _ object: JSONObject) {
    self.time = time
    var object = object
    if object["type"] == nil { object["type"] = "x" }
    object["timestamp"] = JSONValue(time)
    self.object = object
  }
}

/// Runs a query over samples and keeps what it says.
final class QueryRun {
  let query: RunningQuery
  private(set) var messages: [QueryMessage] = []
  private var position: UInt64 = 0

  /// - Parameter lateness: none, unless a test is about it.
  init(
    _ text: String, span: String = "none", lateness: Int64 = 0, groups: Int = 100_000,
    bytes: Int = 256 << 20, calendar: QueryCalendar = .utc, after mark: QueryMark? = nil,
    at now: Int64? = nil
  ) throws {
    let plan = try QueryPlan(Query(parsing: text), calendar: calendar)
    let span = try QuerySpan(parsing: span)
    query = RunningQuery(
      plan, span: span, timing: QueryTiming(lateness: lateness, groups: groups, bytes: bytes),
      continuation: now.map { plan.continuation(after: mark, span: span, at: $0) } ?? .anew)
  }

  func start(at now: Int64) { messages += query.start(at: now) }
  func endHistory(at now: Int64) { messages += query.endHistory(at: now) }
  func advance(to now: Int64, seen: Int64? = nil) {
    messages += query.advance(to: now, seen: seen)
  }
  func stop(at now: Int64) { messages += query.stop(at: now) }

  func take(_ sample: Sample) {
    position += 1
    messages += query.take(sample.object, at: sample.time, position: position)
  }

  func take(_ time: Int64, _ object: JSONObject) { take(Sample(time, object)) }

  var batches: [QueryBatch] {
    messages.compactMap { if case .event(let batch) = $0 { batch } else { nil } }
  }

  /// The rows of all batches, without their timestamps.
  var rows: [JSONObject] {
    batches.flatMap(\.rows).map { row in
      var row = row
      row["timestamp"] = nil
      return row
    }
  }

  var warnings: [String] {
    messages.compactMap { if case .warning(let text) = $0 { text } else { nil } }
  }

  /// The kinds of messages in order.
  var kinds: [String] { messages.compactMap { $0.json["type"]?.string } }

  /// All rows of a query over history that ends at `end`.
  static func rows(_ text: String, _ samples: [Sample], end: Int64) throws -> [JSONObject] {
    let run = try QueryRun(text, span: "from ts 0 to ts \(end)")
    run.start(at: end)
    for sample in samples { run.take(sample) }
    run.endHistory(at: end)
    return run.rows
  }
}
