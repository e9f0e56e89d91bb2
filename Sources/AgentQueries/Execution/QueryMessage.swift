public import AgentJSON

/// A message of a running query, with the names that Intelie LIVE uses.
public enum QueryMessage: Sendable, Hashable {
  /// The query runs. The message is repeated after each stop.
  case start(QueryStart)
  /// The interval that the query covers now. It is sent at the start and then once a minute.
  case span(begin: Int64, end: Int64)
  /// The query has processed all past rows.
  case endHistory
  /// New rows follow from now on.
  case startRealTime
  /// Rows that belong together.
  case event(QueryBatch)
  /// The progress of the query, if the caller asked for it.
  case mark(QueryMark)
  /// A warning for people, such as rows that came too late.
  case warning(String)
  /// The query has stopped and may start again.
  case stop(reason: QueryStopReason)
  /// The query has ended. This is its last message.
  case destroy
}

/// Why a query stopped.
public enum QueryStopReason: Sendable, Hashable {
  /// Its span is in the past, and all of it was processed.
  case noRealTime
  /// Its span ended while it ran.
  case endOfSpan
  /// It exceeded a limit.
  case limit
  /// A stop was requested.
  case requested(String)

  /// The reason as a word, or the text of the request.
  public var text: String {
    switch self {
    case .noRealTime: "NoRealTime"
    case .endOfSpan: "EndOfSpan"
    case .limit: "Limit"
    case .requested(let reason): reason
    }
  }
}

/// The properties of a query that starts.
public struct QueryStart: Sendable, Hashable {
  /// The columns of its rows. Nil means those of the events.
  public let columns: [String]?
  /// The columns that rows are grouped by.
  public let groups: [String]
  public let span: String
  /// Its steps as text for people.
  public let steps: [String]
}

/// Rows that belong together: an event, or the output of a window at a moment.
public struct QueryBatch: Sendable, Hashable {
  /// The moment of the batch in Unix milliseconds.
  public let time: Int64
  /// The rows. The `timestamp` of each is the moment.
  public let rows: [JSONObject]
  /// The columns with estimates, because there were too many values to keep. docs/queries-time.md
  /// has their errors.
  public let sketches: [String]
  /// The size of the rows as JSON in bytes. It is 0 for events that are passed on as they are.
  public let textBytes: Int
  /// Where a query resumes after these rows, if the caller asked for it.
  public internal(set) var mark: QueryMark?
}

extension QueryMessage {
  /// The message as an object: `type` and its members.
  public var json: JSONObject {
    switch self {
    case .start(let start): start.json
    case .span(let begin, let end):
      ["type": "span", "begin": JSONValue(begin), "end": JSONValue(end)]
    case .endHistory: ["type": "endHistory"]
    case .startRealTime: ["type": "startRealTime"]
    case .event(let batch): batch.json
    case .mark(let mark): ["type": "mark", "mark": .string(mark.text)]
    case .warning(let message): ["type": "warning", "message": .string(message)]
    case .stop(let reason): ["type": "stop", "reason": .string(reason.text)]
    case .destroy: ["type": "destroy"]
    }
  }
}

extension QueryStart {
  fileprivate var json: JSONObject {
    var object: JSONObject = [
      "type": "start", "group": Self.list(groups), "span": .string(span), "steps": Self.list(steps),
    ]
    object["select"] = columns.map(Self.list)
    return object
  }

  private static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

extension QueryBatch {
  fileprivate var json: JSONObject {
    var object: JSONObject = [
      "type": "event", "timestamp": JSONValue(time), "events": .array(rows.map { .object($0) }),
    ]
    if !sketches.isEmpty { object["sketches"] = .array(sketches.map { .string($0) }) }
    if let mark { object["mark"] = .string(mark.text) }
    return object
  }
}
