/// The kinds of frame, as `docs/protocol.md` numbers them.
public enum Op: UInt8, Sendable, CaseIterable {
  case hello = 1
  case load = 2
  case loaded = 3
  case configure = 4
  case ready = 5
  case start = 6
  case stop = 7
  case ping = 8
  case reply = 9
  case error = 10
  case part = 11
  case invoke = 12
  case cancel = 13
  case publish = 14
  case subscribe = 15
  case unsubscribe = 16
  case event = 17
  case credit = 18
  case log = 19
  case heartbeat = 20
  case call = 21
  case ended = 22

  /// The name that the protocol's page gives it, such as `HELLO`.
  public var name: String {
    "\(self)".uppercased()
  }

  /// Frames of the data queue spend credit or carry records, and may be overtaken by the others.
  /// PART isn't among them: the REPLY that follows it must not pass it. ENDED is: what was
  /// published before the end comes before the end.
  public var isData: Bool {
    switch self {
    case .publish, .event, .log, .ended: true
    default: false
    }
  }
}

extension Frame {
  /// Whether it waits in the data queue: as its op says, except a LOG that belongs to a call, which
  /// that call's REPLY must not pass.
  public var isData: Bool { op?.isData == true && !(op == .log && id != 0) }
}
