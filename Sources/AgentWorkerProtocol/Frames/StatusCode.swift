/// The status of a finished call or contribution. The numbers are those of `agent_status`.
public enum StatusCode: Int32, Sendable, CaseIterable {
  case ok = 0
  case invalidArgument = 1
  case invalidSettings = 2
  case failed = 3
  case cancelled = 4
  case unsupported = 5
  case deadlineExceeded = 6
  case overloaded = 7
  case closed = 8
  case conflict = 9

  /// The name on the wire, such as `invalid_argument`.
  public var name: String {
    switch self {
    case .ok: "ok"
    case .invalidArgument: "invalid_argument"
    case .invalidSettings: "invalid_settings"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .unsupported: "unsupported"
    case .deadlineExceeded: "deadline_exceeded"
    case .overloaded: "overloaded"
    case .closed: "closed"
    case .conflict: "conflict"
    }
  }

  /// Returns the status with this name.
  public init?(name: String) {
    guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = status
  }
}
