public import AgentJSON
internal import Synchronization

/// An event: a JSON object with `type`, `timestamp`, `source` and any other fields.
///
/// Rationale: it is a class, because the queue of each subscriber holds it.
public final class Event: Sendable, Hashable {
  /// Its position in the log, or in a bus without a log. It increases with each accepted event. An
  /// event that isn't stored has the position of the newest event that was delivered before it.
  public let position: UInt64
  /// Whether it is in the log and can be read again.
  public let isStored: Bool
  /// The type, such as `host_metrics`.
  public let type: String
  /// The time of the event in Unix milliseconds.
  public let timestamp: Int64
  /// The process that published it, `api`, or the host's own `agent`.
  public let source: String
  /// The whole object, including `type`, `timestamp` and `source`.
  public let object: JSONObject
  /// The object as JSON text in UTF-8. It is made once for all subscribers: when the event is
  /// stored, or at the first use.
  public var encoded: [UInt8] {
    // This needs no lock. If two threads make the text at the same time, the first one's is kept.
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

  /// Returns whether both have the same position and the same text. Events that aren't stored may
  /// share a position.
  public static func == (left: Event, right: Event) -> Bool {
    left === right || (left.position == right.position && left.encoded == right.encoded)
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(position) }

  /// Returns the value of a field. Dots lead into nested objects if no member has the dotted name.
  public func field(_ path: String) -> JSONValue? { object.field(path) }
}
