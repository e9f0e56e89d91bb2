/// A message of a running query, named as in the query language's life-cycle.
public enum QueryMessage: Sendable, Hashable {
  /// Rows that belong together.
  public struct Rows: Sendable, Hashable {
    /// The time of the rows, in Unix milliseconds.
    public var timestamp: Int64
    /// The rows.
    public var rows: [QueryRow]
    /// The columns whose values are estimates, because there were too many values to keep.
    public var sketches: [String]
    /// Where the query continues after these rows; `nil` unless marks were requested.
    public var mark: String?

    /// Makes rows.
    public init(
      timestamp: Int64, rows: [QueryRow], sketches: [String] = [], mark: String? = nil
    ) {
      self.mark = mark
      self.timestamp = timestamp
      self.rows = rows
      self.sketches = sketches
    }
  }

  /// The query runs. `columns` are those of its rows; `nil` when they are those of the events.
  case start(columns: [String]?)
  /// The time span that the query covers, in Unix milliseconds.
  case span(begin: Int64, end: Int64)
  /// The query has read all past events.
  case endHistory
  /// From now on, rows come from new events.
  case startRealTime
  /// Rows.
  case rows(Rows)
  /// How far the query has come. Sent now and then if marks were requested.
  case mark(String)
  /// A message for people, such as about events that came too late.
  case warning(String)
  /// The query has stopped, with the reason in one word.
  case stop(reason: String)
  /// The query is gone; the last message.
  case destroy
}

extension QueryMessage {
  /// Reads a message from its form on the wire; `nil` for one that this SDK doesn't know.
  public init?(_ event: Event) {
    switch event.type {
    case "start":
      self = .start(columns: event.fields["select"]?.array?.compactMap(\.string))
    case "span":
      self = .span(
        begin: event.fields["begin"]?.int.map(Int64.init) ?? 0,
        end: event.fields["end"]?.int.map(Int64.init) ?? 0)
    case "endHistory": self = .endHistory
    case "startRealTime": self = .startRealTime
    case "event": self = .rows(Rows(event))
    case "mark": self = .mark(event.fields["mark"]?.string ?? "")
    case "warning": self = .warning(event.fields["message"]?.string ?? "")
    case "stop": self = .stop(reason: event.fields["reason"]?.string ?? "")
    case "destroy": self = .destroy
    default: return nil
    }
  }

  /// The message in its form on the wire.
  public var event: Event {
    switch self {
    case .start(let columns):
      Event("start", fields: columns.map { ["select": .array($0.map { .string($0) })] } ?? [:])
    case .span(let begin, let end):
      Event("span", fields: ["begin": JSONValue(Int(begin)), "end": JSONValue(Int(end))])
    case .endHistory: Event("endHistory")
    case .startRealTime: Event("startRealTime")
    case .rows(let rows): rows.event
    case .mark(let mark): Event("mark", fields: ["mark": .string(mark)])
    case .warning(let message): Event("warning", fields: ["message": .string(message)])
    case .stop(let reason): Event("stop", fields: ["reason": .string(reason)])
    case .destroy: Event("destroy")
    }
  }
}

extension QueryMessage.Rows {
  fileprivate init(_ event: Event) {
    let moment = event.timestamp ?? 0
    let rows = (event.fields["events"]?.array ?? []).compactMap(\.object)
    self.init(
      timestamp: moment,
      rows: rows.map {
        QueryRow(timestamp: $0["timestamp"]?.int.map(Int64.init) ?? moment, values: $0)
      },
      sketches: event.fields["sketches"]?.array?.compactMap(\.string) ?? [],
      mark: event.fields["mark"]?.string)
  }

  fileprivate var event: Event {
    var fields: JSONObject = ["events": .array(rows.map { .object($0.values) })]
    if !sketches.isEmpty { fields["sketches"] = .array(sketches.map { .string($0) }) }
    if let mark { fields["mark"] = .string(mark) }
    return Event("event", timestamp: timestamp, fields: fields)
  }
}
