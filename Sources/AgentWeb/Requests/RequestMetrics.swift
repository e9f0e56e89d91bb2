internal import AgentMetrics
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
internal import Synchronization

/// The request metrics of all listeners, and the number of open streams.
final class RequestMetrics: Sendable {
  private let metrics: HTTPMetrics
  private let routes: [String: HTTPMetrics.Route]
  private let other: HTTPMetrics.Route
  private let streams = Atomic<Int>(0)
  /// How many of them each principal has.
  private let shares = Mutex<[String: Int]>([:])

  init(_ registry: MetricsRegistry, _ routes: [APIRoute]) {
    let metrics = HTTPMetrics(registry)
    self.metrics = metrics
    self.routes = Dictionary(
      routes.map { ($0.operation, metrics.route($0.method.rawValue, $0.path)) }
    ) { first, _ in first }
    other = metrics.route("other", "other")
  }

  func began() { metrics.began() }

  /// A request is answered; what a stream sends is counted as it goes.
  func ended(_ context: RequestContext, _ response: inout Response) {
    let route = context.route.flatMap { routes[$0.operation] } ?? other
    let size = response.body.contentLength
    metrics.ended(
      route, status: response.status.code, after: ContinuousClock.now - context.began,
      received: context.received, sent: size ?? 0)
    guard size == nil else { return }
    let (body, metrics) = (response.body, metrics)
    response.body = ResponseBody { writer in
      try await body.write(CountingWriter(writer: writer, metrics: metrics))
    }
  }

  /// Lets a route begin a stream, if there may be another one, and another one of this principal:
  /// one of them may have three quarters of all.
  func stream(
    most: Int?, for principal: String, _ answer: () async throws -> Response
  ) async throws -> Response {
    let most = most ?? .max
    let slot = StreamSlot(self, principal)
    guard streams.load(ordering: .relaxed) <= most else {
      throw Self.refusal(
        "The number of open streams has reached http.limits.streams in the settings.")
    }
    guard shares.withLock({ $0[principal] ?? 0 }) <= most - most / 4 else {
      throw Self.refusal(
        "You have three quarters of the streams that http.limits.streams in the settings allows. "
          + "The rest are reserved for other clients.")
    }
    var response = try await answer()
    let body = response.body
    response.body = ResponseBody(contentLength: body.contentLength) { writer in
      defer { withExtendedLifetime(slot) {} }
      try await body.write(writer)
    }
    return response
  }

  private static func refusal(_ message: String) -> APIProblem {
    var problem = APIProblem(.serviceUnavailable, "too_many_streams", message)
    problem.headers[.retryAfter] = "10"
    return problem
  }

  fileprivate func streamBegan(_ principal: String) {
    streams.add(1, ordering: .relaxed)
    shares.withLock { $0[principal, default: 0] += 1 }
    metrics.streamOpened()
  }

  fileprivate func streamEnded(_ principal: String) {
    streams.subtract(1, ordering: .relaxed)
    shares.withLock { shares in
      let left = (shares[principal] ?? 1) - 1
      shares[principal] = left > 0 ? left : nil
    }
    metrics.streamClosed()
  }
}

/// Counts what a stream sends.
private struct CountingWriter: ResponseBodyWriter {
  var writer: any ResponseBodyWriter
  let metrics: HTTPMetrics

  mutating func write(_ buffer: ByteBuffer) async throws {
    try await writer.write(buffer)
    metrics.streamed(buffer.readableBytes)
  }

  consuming func finish(_ trailers: HTTPFields?) async throws { try await writer.finish(trailers) }
}

/// The place that an open stream takes, for as long as its answer is there: also when nobody came
/// to fetch it.
private final class StreamSlot: Sendable {
  private let figures: RequestMetrics
  private let principal: String

  init(_ figures: RequestMetrics, _ principal: String) {
    self.figures = figures
    self.principal = principal
    figures.streamBegan(principal)
  }

  deinit { figures.streamEnded(principal) }
}
