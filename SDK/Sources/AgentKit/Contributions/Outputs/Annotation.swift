/// A note on a time span: an event `__annotations` with the fields of Intelie LIVE's annotations.
public struct Annotation: Sendable, Hashable {
  /// The type of the events.
  public static let eventType = "__annotations"
  /// The length of an annotation that has no end, in milliseconds: as in live-agent.
  public static let leastLength: Int64 = 30_000

  /// The message for people.
  public var text: String
  /// The beginning of the span, in Unix milliseconds; now when `nil`.
  public var begin: Int64?
  /// The end of the span, in Unix milliseconds; ``leastLength`` after the beginning when `nil` or
  /// before it.
  public var end: Int64?
  /// Identifies this annotation. A later one with the same identifier replaces it.
  public var uid: String
  /// A color, such as `#E87919`.
  public var color: String?
  /// When it was written, in Unix milliseconds; now when `nil`.
  public var timestamp: Int64?
  /// Any further fields. The annotation's own fields take precedence over fields of the same name.
  public var fields: JSONObject

  /// Makes an annotation.
  public init(
    _ text: String, begin: Int64? = nil, end: Int64? = nil, uid: String = EventID.random(),
    color: String? = nil, timestamp: Int64? = nil, fields: JSONObject = [:]
  ) {
    self.text = text
    self.begin = begin
    self.end = end
    self.uid = uid
    self.color = color
    self.timestamp = timestamp
    self.fields = fields
  }

  /// The annotation as an event. The output gives the author and the place where it is shown.
  public func event(_ output: Output = Output(), at now: Int64) -> Event {
    let time = timestamp ?? now
    let begin = begin ?? time
    let (later, overflow) = begin.addingReportingOverflow(Self.leastLength)
    let end = end.flatMap { $0 < begin ? nil : $0 } ?? (overflow ? .max : later)
    var fields = fields
    fields["uid"] = .string(uid)
    fields["createdAt"] = JSONValue(time)
    fields["begin"] = JSONValue(begin)
    fields["end"] = JSONValue(end)
    fields["message"] = .string(text)
    fields["author"] = (output.author?.name).map(JSONValue.string)
    fields["room"] = output.room?.json
    fields["dashboardId"] = output.dashboard?.id
    fields["dashboard"] = (output.dashboard?.name).map(JSONValue.string)
    fields["searchable"] = true
    fields["__color"] = color.map(JSONValue.string)
    fields["__overwrite"] = ["uid"]
    return Event(Self.eventType, timestamp: time, fields: fields)
  }
}
