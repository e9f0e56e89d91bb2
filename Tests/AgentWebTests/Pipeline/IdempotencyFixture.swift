import AgentAccess
import AgentJSON
import AgentStore
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestSupport

@testable import AgentWeb

/// Orders with an idempotency key, and a clock that a test moves.
final class IdempotencyFixture: Sendable {
  /// A request of the route `order`.
  struct Order {
    var key = "k"
    var token = "1"
    var path = "/orders"
    var body = #"{"count": 7}"#
    var contentType = "application/json"
    var options: APIRoute.Options = .repeatable
  }

  let store: SQLiteStore
  private let warned = Mutex<[String]>([])
  private let done = Mutex(0)
  private let folder: TestFolder
  private let moment = Clock()
  private let keys: IdempotencyStore

  private final class Clock: Sendable {
    let milliseconds = Mutex<Int64>(1_000_000)
  }

  init() async throws {
    folder = try TestFolder()
    store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder.path)/a.db"))
    keys = IdempotencyStore(store, now: { [moment] in moment.milliseconds.withLock(\.self) })
  }

  /// How often the route was asked for an answer.
  var count: Int { done.withLock(\.self) }
  var warnings: [String] { warned.withLock(\.self) }

  func advance(_ milliseconds: Int64) { moment.milliseconds.withLock { $0 += milliseconds } }

  /// Sends an order, which the route answers by `answer` if it is new.
  @discardableResult
  func send(
    _ order: Order = Order(),
    answer: @escaping APIRoute.Answer = { _ in Response(["id": 7], status: .created) }
  ) async throws -> Response {
    let route = APIRoute(
      .post, "/orders", operation: "order", summary: "", tag: .agent, for: nil,
      body: .jsonOrLines(.anyObject), replies: [], options: order.options
    ) { [self] call in
      done.withLock { $0 += 1 }
      return try await answer(call)
    }
    let head = HTTPRequest(
      method: .post, scheme: "http", authority: "localhost", path: order.path,
      headerFields: [.contentType: order.contentType])
    let bytes = Array(order.body.utf8)
    let call = APICall(
      request: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
      principal: Principal(
        kind: .program, name: "shop", scopes: [Scope](), token: order.token),
      address: "unix", id: "1", client: nil, tokenEnd: nil, account: nil, values: [:],
      query: QueryString(""), bytes: bytes,
      document: try bytes.isEmpty ? nil : JSONDocument(parsing: bytes))
    let middleware = IdempotencyMiddleware(store: keys) { [self] text in
      warned.withLock { $0.append(text) }
    }
    return try await middleware.answer(call, route, key: order.key)
  }
}
