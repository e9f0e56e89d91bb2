import AgentAccess
import AgentJSON
import AgentStore
import AgentWorkers
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import AgentWeb

@Suite struct IdempotencyMiddlewareTests {
  @Test func `a refusal frees its key`() {
    let refusals: [any Error] = [
      HostError(.invalid, "No."), HostError(.notFound, "No."), HostError(.conflict, "No."),
      HostError(.notReady, "Not yet."),
      APIProblem(.tooManyRequests, code: "busy", message: "Later."),
      StoreError(.full, "There is no room."), StoreError(.closed, "It ends."),
    ]
    for error in refusals {
      #expect(IdempotencyMiddleware.isRefusal(error), "\(error)")
    }
  }

  @Test func `an error that can come after the work keeps its key`() {
    let unknown: [any Error] = [
      HostError(.deadlineExceeded, "It took too long."), HostError(.failed, "It broke."),
      StoreError(.fault, "The disk failed."), CancellationError(),
    ]
    for error in unknown {
      #expect(!IdempotencyMiddleware.isRefusal(error), "\(error)")
    }
  }

  /// An order, as the route `answer` gets it.
  private func send(
    to middleware: IdempotencyMiddleware, _ answer: @escaping APIRoute.Answer
  ) async throws -> Response {
    let route = APIRoute(
      .post, "orders", operation: "order", summary: "", tag: .agent, for: nil, replies: [],
      options: .repeatable,
      answer: answer)
    let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/orders")
    let call = APICall(
      request: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
      principal: Principal(kind: .program, name: "shop", scopes: [Scope]()), address: "unix",
      id: "1", client: nil, tokenEnd: nil, account: nil, values: [:], query: QueryString(""),
      bytes: [],
      document: nil)
    return try await middleware.answer(call, route, key: "k")
  }

  @Test func `a key that can't be freed is logged, and the client gets the refusal`() async throws {
    let folder = try TestFolder()
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder.path)/a.db"))
    let warnings = Mutex<[String]>([])
    let middleware = IdempotencyMiddleware(store: IdempotencyStore(store, now: { 1_000 })) { text in
      warnings.withLock { $0.append(text) }
    }
    let error = await #expect(throws: HostError.self) {
      try await send(to: middleware) { _ in
        await store.close()
        throw HostError(.invalid, "No.")
      }
    }
    #expect(error?.message == "No.")
    #expect(warnings.withLock(\.self).first?.hasPrefix("An idempotency key can't be freed") == true)
  }

  @Test func `an answer that breaks off leaves its request interrupted`() async throws {
    let folder = try TestFolder()
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder.path)/a.db"))
    let keys = IdempotencyStore(store, now: { 1_000 })
    let middleware = IdempotencyMiddleware(store: keys) { _ in }
    await #expect(throws: HostError.self) {
      try await send(to: middleware) { _ in
        Response(
          status: .ok,
          body: ResponseBody(contentLength: 1) { _ in throw HostError(.invalid, "It broke.") })
      }
    }
    let error = await #expect(throws: HostError.self) {
      try await send(to: middleware) { _ in Response(.null) }
    }
    #expect(error?.message.contains("It is unknown how much was done") == true)
    await store.close()
  }
}
