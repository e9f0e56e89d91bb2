import AgentAccess
import AgentHost
import AgentJSON
import AgentSettings
import AgentStore
import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

@testable import AgentWeb

/// The request pipeline of a port, with the routes of a test. A test moves the clock of its rate
/// limits.
final class PipelineFixture: Sendable {
  /// An answer whose body was collected.
  struct Answer {
    let status: Int
    let fields: HTTPFields
    let bytes: [UInt8]
    /// The problem. Nil means that the answer is none, or has no body.
    let problem: JSONValue?

    var code: String? { problem?["code"]?.string }
    var detail: String { problem?["detail"]?.string ?? "" }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    subscript(field: String) -> String? { HTTPField.Name(field).flatMap { fields[$0] } }
  }

  private final class Clock: Sendable {
    let milliseconds = Mutex<Int64>(1_000_000)
  }

  let host: HostApplication
  private let folder: TestFolder
  private let store: SQLiteStore
  private let pipeline: RequestPipeline
  private let clock = Clock()

  init(_ routes: [APIRoute], settings: HTTPSettings = HTTPSettings()) async throws {
    folder = try TestFolder()
    try folder.write("settings.json", #"{"agent": {"name": "t"}}"#)
    host = try HostApplication(
      await HostOpening(try AgentFolder.locate(settings: "\(folder.path)/settings.json")),
      options: .init(logsToTerminal: false))
    store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder.path)/a.db"))
    try await host.access.open(store)
    pipeline = RequestPipeline(
      try API(routes, metrics: host.metrics), host: host, listenerKind: .port(settings),
      now: { [clock] in clock.milliseconds.withLock(\.self) })
  }

  /// A route for these tests. Its operation is `do`.
  static func route(
    _ method: HTTPRequest.Method, _ path: String, for scope: Scope? = .read,
    body: APIBody? = nil, options: APIRoute.Options = [],
    answer: @escaping APIRoute.Answer = { _ in Response(.null) }
  ) -> APIRoute {
    APIRoute(
      method, path, operation: "do", summary: "", tag: .agent, for: scope, body: body, replies: [],
      options: options, answer: answer)
  }

  func advance(_ milliseconds: Int64) { clock.milliseconds.withLock { $0 += milliseconds } }

  func close() async { await store.close() }

  /// Makes a token and returns the fields of a request with it.
  func token(_ scopes: [String] = ["read"], bot: String? = nil) async throws -> HTTPFields {
    let made = try await host.access.createToken("shop", scopes: scopes, bot: bot)
    let text = try #require(made["token"]?.string)
    return [.authorization: "Bearer \(text)"]
  }

  /// Sends a request over a connection of its own.
  func send(
    _ method: HTTPRequest.Method, _ path: String, fields: HTTPFields = [:],
    body: RequestBody = RequestBody(buffer: ByteBuffer()), authority: String = "localhost",
    from address: String = "192.0.2.1"
  ) async throws -> Answer {
    let head = HTTPRequest(
      method: method, scheme: "http", authority: authority, path: path, headerFields: fields)
    let response = try await pipeline.respond(
      to: Request(head: head, body: body), context: try await connection(from: address))
    let bytes = try await BodyCollector.bytes(of: response.body) ?? []
    let isProblem = response.headers[.contentType] == "application/problem+json" && !bytes.isEmpty
    return Answer(
      status: response.status.code, fields: response.headers, bytes: bytes,
      problem: try isProblem ? JSONDocument(parsing: bytes).root.value : nil)
  }

  private func connection(from address: String) async throws -> ConnectionContext {
    let channel = NIOAsyncTestingChannel()
    channel.remoteAddress = try SocketAddress(ipAddress: address, port: 40_000)
    // A channel may not be released while it is open, and nothing is sent over this one.
    _ = try await channel.finish()
    return ConnectionContext(
      source: ApplicationRequestContextSource(channel: channel, logger: host.logger))
  }
}
