internal import AgentSettings
internal import AgentSystem
internal import NIOCore

/// The time limits of ``ConnectionWatch``, as a state machine without input and output.
struct ConnectionPace {
  /// The next act of the connection.
  enum Action: Equatable {
    case wait, heartbeat, endStream, close
  }

  private enum Phase: Equatable {
    /// It waits for the head of a request.
    case waiting(since: NIODeadline)
    /// It waits for a body, of which `bytes` bytes have come.
    case reading(since: NIODeadline, bytes: Int)
    /// It receives lines, which may arrive at any pace.
    case receiving
    /// It waits for the host.
    case working
    /// It sends a stream.
    case streaming(since: NIODeadline)
    /// It reads the rest of a request that was answered early.
    case draining(since: NIODeadline)
  }

  /// The slowest allowed body, in bytes a second. A slower one only keeps the connection busy.
  static let slowest = 500
  /// How much longer an answer may wait for its reader than a request may take, as a factor.
  private static let patience: Int64 = 3

  private let idle: TimeAmount
  private let streamTime: TimeAmount
  private let beat: TimeAmount
  private var phase = Phase.waiting(since: .uptimeNanoseconds(0))
  /// Whether the latest request has arrived completely.
  private var isRequestWhole = true
  /// The number of requests behind the one that is being answered.
  private var queued = 0
  private var lastWrite = NIODeadline.uptimeNanoseconds(0)
  private var blockedSince: NIODeadline?
  /// The time of the next look.
  private(set) var next = NIODeadline.uptimeNanoseconds(0)

  init(_ limits: HTTPSettings.Limits) {
    idle = Self.amount(limits.idleSeconds)
    streamTime = Self.amount(limits.streamSeconds)
    beat = Self.amount(limits.heartbeatSeconds)
  }

  private static func amount(_ seconds: Double) -> TimeAmount {
    .nanoseconds(Int64(clamping: seconds * 1_000_000_000))
  }

  mutating func opened(now: NIODeadline) {
    phase = .waiting(since: now)
    next = now + idle
  }

  mutating func head(now: NIODeadline) {
    isRequestWhole = false
    switch phase {
    // A client may send the next request before it has the answer (RFC 9112, section 9.3.2). Until
    // then the connection is still busy with the answer before it.
    case .reading, .receiving, .working, .streaming: queued += 1
    case .waiting, .draining: phase = .reading(since: now, bytes: 0)
    }
  }

  /// Removes the time limit of a body of lines, which may arrive at any pace.
  mutating func receivesLines() {
    if case .reading = phase { phase = .receiving }
  }

  mutating func body(_ count: Int) {
    if case .reading(let since, let bytes) = phase {
      phase = .reading(since: since, bytes: bytes + count)
    }
  }

  mutating func requestEnded(now: NIODeadline) {
    isRequestWhole = true
    guard queued == 0 else { return }
    switch phase {
    case .reading, .receiving: phase = .working
    case .draining: phase = .waiting(since: now)
    case .waiting, .working, .streaming: break
    }
  }

  mutating func answering(isStream: Bool, now: NIODeadline) {
    lastWrite = now
    if isStream {
      phase = .streaming(since: now)
      next = now + beat
    }
  }

  mutating func wrote(now: NIODeadline) { lastWrite = now }

  mutating func answered(now: NIODeadline) {
    guard queued > 0 else {
      phase = isRequestWhole ? .waiting(since: now) : .draining(since: now)
      return
    }
    queued -= 1
    phase = queued == 0 && !isRequestWhole ? .reading(since: now, bytes: 0) : .working
  }

  mutating func writable(_ isWritable: Bool, now: NIODeadline) {
    blockedSince = isWritable ? nil : blockedSince ?? now
  }

  /// Returns what to do now, and sets ``next`` to the time of the next look.
  mutating func look(now: NIODeadline, isWritable: Bool) -> Action {
    if let blockedSince, !isWritable, now - blockedSince >= idle * Self.patience { return .close }
    next = now + idle
    switch phase {
    case .waiting(let since), .draining(let since):
      next = since + idle
      return now >= next ? .close : .wait
    case .reading(let since, let bytes):
      let elapsed = now - since
      guard elapsed >= idle else {
        next = since + idle
        return .wait
      }
      let wanted = Double(elapsed.nanoseconds) / 1e9 * Double(Self.slowest)
      return Double(bytes) < wanted ? .close : .wait
    case .streaming(let since):
      if now - since >= streamTime {
        // Text that is written already goes out first. A reader that doesn't take it is
        // disconnected as usual.
        phase = .working
        return .endStream
      }
      let due = lastWrite + beat
      let isDue = now >= due && isWritable
      if isDue { lastWrite = now }
      next = min(now >= due ? now + beat : due, since + streamTime)
      return isDue ? .heartbeat : .wait
    case .working, .receiving: return .wait
    }
  }
}
