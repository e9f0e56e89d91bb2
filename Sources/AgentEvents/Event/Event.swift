public import AgentJSON
internal import Synchronization

/// An event: a JSON object with `type`, `timestamp`, `source` and any other fields.
///
/// Rationale: a class, because each subscriber's queue holds it.
public final class Event: Sendable, Hashable {
  /// Its place in the log, or in a bus without a log. It increases with each event that is taken
  /// in. An event that isn't stored has the place of the newest event that was delivered before it.
  public let position: UInt64
  /// Whether it is in the log, so that it can be read again.
  public let isStored: Bool
  /// Such as `host_metrics`.
  public let type: String
  /// When it happened, in Unix milliseconds.
  public let timestamp: Int64
  /// The process that published it, `api`, or the host's own `agent`.
  public let source: String
  /// The whole object, `type`, `timestamp` and `source` included.
  public let object: JSONObject
  /// The object as JSON text in UTF-8, made once for all subscribers: when it is stored, or first
  /// asked for.
  public var encoded: [UInt8] {
    // Without a lock: two threads may both make the text, and the first one's is kept.
    written ?? (lazily.load() ?? lazily.storeIfNil(Text(object))).bytes
  }

  private final class Text: Sendable {
    let bytes: [UInt8]
    init(_ object: JSONObject) { bytes = JSONValue.object(object).bytes() }
  }

  private let written: [UInt8]?
  private let lazily = AtomicLazyReference<Text>()

  init(_ draft: EventDraft, position: UInt64, isStored: Bool) {
    self.position = position
    self.isStored = isStored
    type = draft.type
    timestamp = draft.timestamp
    source = draft.source
    object = draft.object
    written = draft.encoded
  }

  /// Whether both have the same place and the same text. Events that aren't stored may share a
  /// place.
  public static func == (left: Event, right: Event) -> Bool {
    left === right || (left.position == right.position && left.encoded == right.encoded)
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(position) }

  /// The value of a field; dots lead into nested objects where no member has the dotted name.
  public func field(_ path: String) -> JSONValue? { object.field(path) }
}
