public import AgentJSON
internal import Synchronization

/// Something that happened: a JSON object with `type`, `timestamp`, `source` and any other fields.
///
/// Rationale: a class, because each subscriber's queue holds it.
public final class Event: Sendable, Hashable {
  /// Its place in the log, or in a bus without a log: increases with each event that is taken in.
  /// Of one that isn't stored: the place of the newest that was delivered before it.
  public let position: UInt64
  /// Whether it is in the log, so that it can be had again.
  public let isStored: Bool
  /// What kind of event this is, such as `host_metrics`.
  public let type: String
  /// When it happened, in Unix milliseconds.
  public let timestamp: Int64
  /// The process that published it.
  public let source: String
  /// The whole object, `type`, `timestamp` and `source` included.
  public let object: JSONObject
  /// The object as JSON text, made once for all subscribers: when it is stored, or first asked for.
  public var encoded: [UInt8] {
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

  /// The same place and the same text.
  public static func == (left: Event, right: Event) -> Bool {
    left === right || (left.position == right.position && left.encoded == right.encoded)
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(position) }

  /// The value of a field; dots lead into nested objects where no member has the dotted name.
  public func field(_ path: String) -> JSONValue? { object.field(path) }
}
