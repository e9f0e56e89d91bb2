internal import AgentNotifications
internal import AgentTraces
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// Sends spans over HTTP.
///
/// Redirects aren't followed. A collector has one address, and the header fields of the settings
/// may hold secrets for that address only.
struct TraceClient: TraceTransport {
  /// The client exists as long as the process, as `HTTPClient.shared` does.
  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.tlsConfiguration = TLSRules.client
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  func post(
    _ body: [UInt8], to address: String, headers: [String: String]
  ) async throws -> TraceReply {
    var request = HTTPClientRequest(url: address)
    request.method = .POST
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    request.headers.replaceOrAdd(name: "content-type", value: "application/json")
    request.body = .bytes(ByteBuffer(bytes: body))
    let response = try await Self.client.execute(request, timeout: .seconds(10))
    // The body is read so that the connection can be used again. Its content isn't needed.
    _ = try? await response.body.collect(upTo: 1 << 16)
    let seconds = response.headers.first(name: "retry-after").flatMap { Int64($0) }
    return TraceReply(
      status: Int(response.status.code),
      retryAfter: seconds.flatMap { $0 >= 0 ? .seconds($0) : nil })
  }
}
