/// What a running query says, in the words of the query language's life-cycle.
public enum QueryMessage: Sendable, Hashable {
  /// Rows that belong together.
  public struct Rows: Sendable, Hashable {
    /// The moment that they stand for, in Unix milliseconds.
    public var timestamp: Int64
    /// The rows.
    public var rows: [QueryRow]
    /// The columns whose values are estimates, because there were too many values to keep.
    public var sketches: [String]
    /// Where the query goes on behind these rows; `nil` where it wasn't asked to say so.
    public var mark: String?

    /// Makes some.
    public init(
      timestamp: Int64, rows: [QueryRow], sketches: [String] = [], mark: String? = nil
    ) {
      self.mark = mark
      self.timestamp = timestamp
      self.rows = rows
      self.sketches = sketches
    }
  }

  /// It runs. `columns` are those of its rows; `nil` where they are those of the events.
  case start(columns: [String]?)
  /// Which time it looks at, in Unix milliseconds.
  case span(begin: Int64, end: Int64)
  /// The past has been seen.
  case endHistory
  /// Rows come as they happen from now on.
  case startRealTime
  /// Rows.
  case rows(Rows)
  /// How far it has come; now and then, where it was asked to say so.
  case mark(String)
  /// Something people should know, such as events that came too late.
  case warning(String)
  /// It has stopped: why, in a word.
  case stop(reason: String)
  /// It is gone; the last message.
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
