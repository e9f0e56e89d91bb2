internal import AgentSystem

/// Sends ended spans to a collector: in batches, in the background, by OTLP over HTTP.
///
/// Rationale: the statuses that are retried are those of
/// https://opentelemetry.io/docs/specs/otlp/#otlphttp.
public struct TraceExporter: Sendable {
  /// The pace, sizes and retries of an exporter.
  public struct Options: Sendable {
    /// The time between two rounds of sending.
    public var interval = Duration.seconds(1)
    /// The largest number of spans in a request.
    public var batch = 512
    /// How long a collector may take to accept a batch, from the connection to the end of its
    /// response.
    public var timeout = Duration.seconds(10)
    /// The number of attempts to send a batch before its spans are dropped.
    public var tries = 8
    /// The pause before the second attempt. It doubles with each further attempt.
    public var firstPause = Duration.seconds(1)
    /// The longest pause between two attempts, unless the collector asks for another one.
    public var longestPause = Duration.seconds(30)

    /// Creates the default options.
    public init() {}
  }

  private let tracer: Tracer
  private let transport: any TraceTransport
  private let options: Options
  private let sleep: @Sendable (Duration) async throws -> Void
  private let deadline: @Sendable (Duration) async throws -> Void
  private let failed: @Sendable (String) -> Void

  /// - Parameters:
  ///   - sleep: waits for the given time and throws when the task is cancelled.
  ///   - deadline: the same, for the end of a request that the collector doesn't answer.
  ///   - failed: called after a batch was dropped, with the reason.
  public init(
    _ tracer: Tracer, over transport: any TraceTransport, options: Options = Options(),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    deadline: @escaping @Sendable (Duration) async throws -> Void = {
      try await Task.sleep(for: $0)
    },
    failed: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.tracer = tracer
    self.transport = transport
    self.options = options
    self.sleep = sleep
    self.deadline = deadline
    self.failed = failed
  }

  /// Sends ended spans until the task is cancelled. The owner then calls ``finish()``.
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

  /// Sends the remaining spans at the end of the host, one attempt for each batch. The first
  /// failure drops all that remain, so that an unreachable collector doesn't delay the end.
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

  /// Sends a batch and repeats it while the failure may be temporary. When the task is cancelled,
  /// the spans return to the queue for ``finish()``.
  private func send(_ spans: [EndedSpan], _ configuration: TraceConfiguration) async throws {
    var pause = options.firstPause
    for turn in 1...max(1, options.tries) {
      switch await attempt(spans, configuration) {
      case .taken: return tracer.queue.exported(spans.count)
      case .refused(let reason): return lose(spans, reason)
      case .later(let reason, _) where turn >= options.tries: return lose(spans, reason)
      case .later(_, let wanted):
        do {
          // The random factor spreads the retries of several hosts after an outage of their
          // collector.
          try await sleep(min(wanted ?? pause * Double.random(in: 0.8...1.2), Self.longestWait))
        } catch {
          tracer.queue.putBack(spans)
          throw error
        }
        pause = min(pause * 2, options.longestPause)
      }
    }
  }

  /// The upper bound of a pause, including one that a collector asks for by `Retry-After`.
  private static let longestWait = Duration.seconds(300)

  private enum Outcome {
    case taken
    case refused(String)
    /// The failure may be temporary. The duration is the pause that the collector asks for.
    case later(String, Duration?)
  }

  /// Sends a batch once. Returns when its time is over or the task is cancelled, whatever the
  /// transport does: a collector that never answers must hold up neither other spans nor the end.
  private func attempt(
    _ spans: [EndedSpan], _ configuration: TraceConfiguration
  ) async -> Outcome {
    let body = SpanBatch(spans: spans, configuration: configuration).json
    let answer = FirstAnswer<Outcome>()
    let request = Task { answer.give(await post(body, configuration)) }
    let clock = Task { [deadline, options] in
      try await deadline(options.timeout)
      answer.give(
        .later("it didn't respond within \(options.timeout.components.seconds) s", nil))
    }
    let outcome = await withTaskCancellationHandler {
      await answer.value
    } onCancel: {
      answer.give(.later("the host ended", nil))
    }
    request.cancel()
    clock.cancel()
    if case .taken = outcome {} else { tracer.queue.failed() }
    return outcome
  }

  private func post(_ body: [UInt8], _ configuration: TraceConfiguration) async -> Outcome {
    do {
      let reply = try await transport.post(
        body, to: configuration.address, headers: configuration.headers)
      switch reply.status {
      case 200..<300: return .taken
      case 429, 502, 503, 504:
        return .later("it responded with status \(reply.status)", reply.retryAfter)
      default: return .refused("it responded with status \(reply.status)")
      }
    } catch {
      return .later("it can't be reached: \(error)", nil)
    }
  }

  private func lose(_ spans: [EndedSpan], _ reason: String) {
    tracer.queue.dropped(spans.count)
    failed(reason)
  }
}
