/// The progress of a query. A restarted query resumes there. No row is missing, and none comes
/// twice.
///
/// On the wire it is a text whose form only the host knows.
public enum QueryMark: Sendable, Hashable {
  /// The query has taken all events up to this position of the log.
  case position(UInt64)
  /// The query has made all outputs up to this moment.
  case moment(Int64)

  /// Parses the text of a mark. Nil means that it isn't one.
  public init?(parsing text: String) {
    let digits = text.dropFirst()
    switch text.first {
    case "p":
      guard let position = UInt64(digits) else { return nil }
      self = .position(position)
    case "t":
      guard let moment = Int64(digits) else { return nil }
      self = .moment(moment.clamped)
    default: return nil
    }
  }

  /// The mark as a text.
  public var text: String {
    switch self {
    case .position(let position): "p\(position)"
    case .moment(let moment): "t\(moment)"
    }
  }
}
