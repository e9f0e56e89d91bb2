/// The kinds of frames, with the numbers of `docs/protocol.md`.
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

  /// The name in `docs/protocol.md`, such as `HELLO`.
  public var name: String {
    "\(self)".uppercased()
  }

  /// Whether the frame waits in the data queue. Such frames spend credit or contain records, and
  /// others may overtake them. PART isn't one of them, because the REPLY after it must not overtake
  /// it. ENDED is one, because events that were published before the end must arrive before it.
  public var isData: Bool {
    switch self {
    case .publish, .event, .log, .ended: true
    default: false
    }
  }
}

extension Frame {
  /// Whether the frame waits in the data queue. Its op decides, with two exceptions. A LOG that
  /// belongs to a call doesn't: that call's REPLY must not overtake it. An ERROR that ends a
  /// subscription does: it must not overtake that subscription's last events.
  public var isData: Bool { followsData || (op?.isData == true && !(op == .log && id != 0)) }
}
