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
  /// The number of open streams of each principal.
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

  /// Counts an answered request. The bytes of a stream are counted as they are sent.
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

  /// Begins a stream if the limits allow one more: that of all streams, and that of the principal,
  /// which is three quarters of it.
  func stream(
    most: Int?, for principal: String, _ answer: () async throws -> Response
  ) async throws -> Response {
    let most = most ?? .max
    // The slot is taken before the checks, so that two requests at once can't both get the last
    // one. The numbers below include it.
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
      // The body holds the slot. It is released when the body was sent or is dropped unread.
      defer { withExtendedLifetime(slot) {} }
      try await body.write(writer)
    }
    return response
  }

  private static func refusal(_ message: String) -> APIProblem {
    var problem = APIProblem(.serviceUnavailable, code: "too_many_streams", message: message)
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

/// Counts the bytes of a stream.
private struct CountingWriter: ResponseBodyWriter {
  var writer: any ResponseBodyWriter
  let metrics: HTTPMetrics

  mutating func write(_ buffer: ByteBuffer) async throws {
    try await writer.write(buffer)
    metrics.streamed(buffer.readableBytes)
  }

  consuming func finish(_ trailers: HTTPFields?) async throws { try await writer.finish(trailers) }
}

/// The slot of an open stream. It is held for as long as the answer exists, even if no client reads
/// it.
private final class StreamSlot: Sendable {
  private let metrics: RequestMetrics
  private let principal: String

  init(_ metrics: RequestMetrics, _ principal: String) {
    self.metrics = metrics
    self.principal = principal
    metrics.streamBegan(principal)
  }

  deinit { metrics.streamEnded(principal) }
}
