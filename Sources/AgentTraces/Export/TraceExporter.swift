/// Sends spans that have ended to a collector: OTLP over HTTP, in batches, in the background.
///
/// Rationale: https://opentelemetry.io/docs/specs/otlp/#otlphttp, also for what is tried again.
public struct TraceExporter: Sendable {
  /// How it works.
  public struct Options: Sendable {
    /// How often spans are sent.
    public var interval = Duration.seconds(1)
    /// How many are sent at once.
    public var batch = 512
    /// How often a batch is tried before it is lost.
    public var tries = 8
    /// The first pause before the next try; it doubles.
    public var firstPause = Duration.seconds(1)
    /// The longest pause.
    public var longestPause = Duration.seconds(30)

    /// What is usual.
    public init() {}
  }

  private let tracer: Tracer
  private let transport: any TraceTransport
  private let options: Options
  private let sleep: @Sendable (Duration) async throws -> Void
  private let failed: @Sendable (String) -> Void

  /// - Parameters:
  ///   - sleep: waits for the given time; throws when the task is cancelled.
  ///   - failed: is called for a batch that was lost, with the reason.
  public init(
    _ tracer: Tracer, over transport: any TraceTransport, options: Options = Options(),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    failed: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.tracer = tracer
    self.transport = transport
    self.options = options
    self.sleep = sleep
    self.failed = failed
  }

  /// Sends what ends, until the task is cancelled.
  public func run() async {
    while !Task.isCancelled {
      do {
        try await sleep(options.interval)
        try await sendAll()
      } catch {
        return
      }
    }
  }

  /// Sends what is left, each batch once; for the end of the host.
  public func finish() async {
    guard let configuration = tracer.configuration else { return }
    while let spans = next() {
      switch await attempt(spans, configuration) {
      case .taken: tracer.queue.exported(spans.count)
      case .refused(let reason), .later(let reason, _):
        lose(spans, reason)
        return tracer.queue.dropped(tracer.queue.take(.max).count)
      }
    }
  }

  private func sendAll() async throws {
    while let configuration = tracer.configuration, let spans = next() {
      try await send(spans, configuration)
    }
  }

  private func next() -> [EndedSpan]? {
    let spans = tracer.queue.take(options.batch)
    return spans.isEmpty ? nil : spans
  }

  /// Sends a batch, again and again while that may help. A cancelled task leaves it to `finish`.
  private func send(_ spans: [EndedSpan], _ configuration: TraceConfiguration) async throws {
    var pause = options.firstPause
    for turn in 1...max(1, options.tries) {
      switch await attempt(spans, configuration) {
      case .taken: return tracer.queue.exported(spans.count)
      case .refused(let reason): return lose(spans, reason)
      case .later(let reason, _) where turn >= options.tries: return lose(spans, reason)
      case .later(_, let wanted):
        do {
          try await sleep(min(wanted ?? pause * Double.random(in: 0.8...1.2), Self.longestWait))
        } catch {
          tracer.queue.putBack(spans)
          throw error
        }
        pause = min(pause * 2, options.longestPause)
      }
    }
  }

  /// However long a collector wants to be left alone.
  private static let longestWait = Duration.seconds(300)

  private enum Outcome {
    case taken
    case refused(String)
    /// It may work later, perhaps after this time.
    case later(String, Duration?)
  }

  private func attempt(
    _ spans: [EndedSpan], _ configuration: TraceConfiguration
  ) async -> Outcome {
    let body = SpanBatch(spans: spans, configuration: configuration).json
    do {
      let reply = try await transport.post(
        body, to: configuration.address, headers: configuration.headers)
      switch reply.status {
      case 200..<300: return .taken
      case 429, 502, 503, 504:
        tracer.queue.failed()
        return .later("it responded with status \(reply.status)", reply.retryAfter)
      default:
        tracer.queue.failed()
        return .refused("it responded with status \(reply.status)")
      }
    } catch {
      tracer.queue.failed()
      return .later("it can't be reached: \(error)", nil)
    }
  }

  private func lose(_ spans: [EndedSpan], _ reason: String) {
    tracer.queue.dropped(spans.count)
    failed(reason)
  }
}
