internal import Glibc
internal import Synchronization

/// Makes spans and keeps those that have ended until they are exported. While no configuration is
/// set it makes none, which costs one look at an atomic.
public final class Tracer: Sendable {
  /// What the current task works for: set around what belongs to a span.
  @TaskLocal public static var current: TraceContext?

  let now: @Sendable () -> UInt64
  let queue = SpanQueue()
  let states = KeptStates()
  private let isOn = Atomic<Bool>(false)
  private let setting = Mutex<TraceConfiguration?>(nil)

  /// A tracer that is off.
  /// - Parameter now: the clock, in Unix nanoseconds.
  public init(now: @escaping @Sendable () -> UInt64 = Tracer.systemTime) { self.now = now }

  /// Where spans go; nil turns it off.
  public var configuration: TraceConfiguration? {
    get { setting.withLock { $0 } }
    set {
      setting.withLock { $0 = newValue }
      isOn.store(newValue != nil, ordering: .releasing)
    }
  }

  /// Whether spans are made at all.
  public var isRecording: Bool { isOn.load(ordering: .relaxed) }

  /// Begins what somebody outside has asked for: in their trace, or in a new one for the share that
  /// is recorded.
  /// - Returns: nil when it isn't recorded.
  public func serve(_ name: String, for caller: TraceContext?) -> Span? {
    guard isRecording else { return nil }
    if let caller { return begin(name, .server, below: caller) }
    guard isChosen() else { return nil }
    var random = SystemRandomNumberGenerator()
    let context = TraceContext(
      trace: TraceID(using: &random), span: SpanID(using: &random), isSampled: true)
    return Span(
      context: context, parent: nil, name: name, kind: .server, begin: now(), tracer: self)
  }

  /// Begins a step of the trace that the current task works for.
  /// - Returns: nil when it works for none that is recorded.
  public func step(_ name: @autoclosure () -> String, _ kind: SpanKind = .internal) -> Span? {
    guard isRecording, let current = Self.current else { return nil }
    return begin(name(), kind, below: current)
  }

  private func begin(_ name: String, _ kind: SpanKind, below parent: TraceContext) -> Span? {
    guard parent.isSampled else { return nil }
    var random = SystemRandomNumberGenerator()
    return Span(
      context: parent.within(SpanID(using: &random)), parent: parent.span, name: name, kind: kind,
      begin: now(), tracer: self)
  }

  func ended(_ span: EndedSpan) { queue.put(span) }

  private func isChosen() -> Bool {
    let share = setting.withLock { $0?.sample ?? 0 }
    return share >= 1 || (share > 0 && Double.random(in: 0..<1) < share)
  }

  /// The system's clock, in Unix nanoseconds.
  public static let systemTime: @Sendable () -> UInt64 = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }
}
