internal import Glibc
internal import Synchronization

/// Creates spans and queues the ended ones for export. Without a configuration it creates none; a
/// call then costs one read of an atomic.
public final class Tracer: Sendable {
  /// The context of the current task. The code that works on a span sets it for the duration of
  /// that work.
  @TaskLocal public static var current: TraceContext?

  let now: @Sendable () -> UInt64
  let queue = SpanQueue()
  let states = KeptStates()
  // A copy of `setting != nil`, so that the check of each span takes no lock.
  private let isOn = Atomic<Bool>(false)
  private let setting = Mutex<TraceConfiguration?>(nil)

  /// Creates a tracer that is off.
  /// - Parameter now: returns the current time, in Unix nanoseconds.
  public init(now: @escaping @Sendable () -> UInt64 = Tracer.systemTime) { self.now = now }

  /// The collector and the share of traces to record. `nil` turns the tracer off.
  public var configuration: TraceConfiguration? {
    get { setting.withLock { $0 } }
    set {
      setting.withLock { $0 = newValue }
      isOn.store(newValue != nil, ordering: .releasing)
    }
  }

  /// Whether the tracer creates spans.
  public var isRecording: Bool { isOn.load(ordering: .relaxed) }

  /// Begins the span of a request from outside. It belongs to the caller's trace if there is one.
  /// Otherwise it begins a new trace for the configured share of requests.
  /// - Returns: `nil` if the trace isn't recorded.
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

  /// Begins a span in the trace of the current task. The name is only computed when a span is
  /// created.
  /// - Returns: `nil` if the task has no trace or its trace isn't recorded.
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

  /// Returns the time of the system's clock, in Unix nanoseconds.
  public static let systemTime: @Sendable () -> UInt64 = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }
}
