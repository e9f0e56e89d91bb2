/// How far a query has come: where one that is started again goes on, with no row missing and none
/// twice.
///
/// On the wire it is a text that means something to the host alone.
public enum QueryMark: Sendable, Hashable {
  /// All events up to this position of the log have been taken.
  case position(UInt64)
  /// All outputs up to this moment have been made.
  case moment(Int64)

  /// Reads the text of a mark; nil for what is none.
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
