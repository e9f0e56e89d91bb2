internal import AgentMetrics
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// Counts what goes through the gate, by route.
struct RequestMetrics: Sendable {
  private let metrics: HTTPMetrics
  private let routes: [String: HTTPMetrics.Route]
  private let others: HTTPMetrics.Route

  init(_ registry: MetricsRegistry, _ routes: [APIRoute]) {
    let metrics = HTTPMetrics(registry)
    self.metrics = metrics
    self.routes = Dictionary(
      routes.map { ($0.operation, metrics.route($0.method.rawValue, $0.path)) },
      uniquingKeysWith: { first, _ in first })
    others = metrics.route("other", "other")
  }

  func began() { metrics.began() }

  /// A request was answered; its body is counted as it is sent.
  func ended(_ visit: Visit, _ response: inout Response) {
    let route = visit.route.flatMap { routes[$0.operation] } ?? others
    metrics.ended(
      route, status: response.status.code, after: visit.began.duration(to: .now),
      received: visit.request.headers[.contentLength].flatMap { Int($0) } ?? 0,
      sent: response.body.contentLength ?? 0)
    guard response.body.contentLength == nil else { return }
    let body = response.body
    response.body = ResponseBody { [metrics] writer in
      metrics.streamOpened()
      defer { metrics.streamClosed() }
      try await body.write(CountedWriter(writer, metrics))
    }
  }
}

/// Counts the bytes of a body that is sent as it comes.
private struct CountedWriter: ResponseBodyWriter {
  private var writer: any ResponseBodyWriter
  private let metrics: HTTPMetrics

  init(_ writer: any ResponseBodyWriter, _ metrics: HTTPMetrics) {
    self.writer = writer
    self.metrics = metrics
  }

  mutating func write(_ buffer: ByteBuffer) async throws {
    metrics.streamed(buffer.readableBytes)
    try await writer.write(buffer)
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await writer.finish(trailingHeaders)
  }
}
