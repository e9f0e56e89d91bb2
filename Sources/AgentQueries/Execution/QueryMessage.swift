public import AgentJSON

/// What a running query says, in the words of Intelie LIVE.
public enum QueryMessage: Sendable, Hashable {
  /// It runs. Comes again after each stop.
  case start(QueryStart)
  /// Which time it looks at now; comes at the start, then once a minute.
  case span(begin: Int64, end: Int64)
  /// All rows of the past have been seen.
  case endHistory
  /// Rows come as they happen from now on.
  case startRealTime
  /// Rows that belong together.
  case event(QueryBatch)
  /// The progress of the query, if the caller asked for it.
  case mark(QueryMark)
  /// Something people should know, such as rows that came too late.
  case warning(String)
  /// It has stopped, and may be started again.
  case stop(reason: QueryStopReason)
  /// It is gone; the last message.
  case destroy
}

/// Why a query stopped.
public enum QueryStopReason: Sendable, Hashable {
  /// Its span lies in the past, and all of it was seen.
  case noRealTime
  /// Its span came to its end while it ran.
  case endOfSpan
  /// It held more than a query may.
  case limit
  /// Somebody stopped it.
  case requested(String)

  /// The reason in a word, or as it was given.
  public var text: String {
    switch self {
    case .noRealTime: "NoRealTime"
    case .endOfSpan: "EndOfSpan"
    case .limit: "Limit"
    case .requested(let reason): reason
    }
  }
}

/// What a query says when it starts.
public struct QueryStart: Sendable, Hashable {
  /// The columns of its rows; nil where they are those of the events.
  public let columns: [String]?
  /// The columns by which rows are grouped.
  public let groups: [String]
  /// The span as it was written.
  public let span: String
  /// Its steps, for people.
  public let steps: [String]
}

/// Rows that belong together: an event, or what a window put out at a moment.
public struct QueryBatch: Sendable, Hashable {
  /// The moment that the batch stands for, in Unix milliseconds.
  public let time: Int64
  /// The rows, each with the moment as its `timestamp`.
  public let rows: [JSONObject]
  /// The columns whose values are estimates because there were too many values to keep. How far
  /// off they may be is in docs/queries-time.md.
  public let sketches: [String]
  /// Where a query resumes after these rows, if the caller asked for it.
  public internal(set) var mark: QueryMark?
}

extension QueryMessage {
  /// The message as an object: `type` and what belongs to it.
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
