import AgentAccess
import AgentJSON
import AgentStore
import HTTPTypes
import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import AgentWeb

@Suite(.timeLimit(.minutes(5))) struct TokenEndTests {
  /// Passes on what a stream writes.
  private struct Writer: ResponseBodyWriter {
    let written: AsyncStream<String>.Continuation

    mutating func write(_ buffer: ByteBuffer) async throws {
      written.yield(String(buffer: buffer))
    }

    consuming func finish(_ trailers: HTTPFields?) async throws {
      written.yield("the end")
      written.finish()
    }
  }

  /// A stream of texts for a new token.
  private final class Scene: Sendable {
    let folder: TestFolder
    let store: SQLiteStore
    let access: AccessControl
    let token: String
    let end: TokenEnd
    let source: AsyncStream<String>.Continuation
    let body: ResponseBody

    init() async throws {
      let folder = try TestFolder()
      let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: "\(folder.path)/a.db"))
      let access = AccessControl(now: { 1000 }) { Issue.record("\($0)") }
      (self.folder, self.store) = (folder, store)
      self.access = access
      try await access.open(store)
      let made = try await access.createToken("reader", scopes: ["read"])
      let principal = try access.principal(bearer: made["token"]?.string ?? "")
      token = principal.token ?? ""
      let end = TokenEnd()
      try end.observe(principal, of: access)
      self.end = end
      let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/s")
      let call = APICall(
        request: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
        principal: principal, address: "127.0.0.1", id: "1", client: nil, tokenEnd: end,
        account: nil, values: [:], query: QueryString(""), bytes: [], document: nil)
      let (texts, source) = AsyncStream.makeStream(of: String.self)
      self.source = source
      body =
        Response(
          streaming: texts, to: call, as: "text/event-stream", opening: "begin", text: { $0 },
          end: { source.finish() }
        ).body
    }
  }

  @Test func `an idle stream ends with its token`() async throws {
    let scene = try await Scene()
    let (texts, written) = AsyncStream.makeStream(of: String.self)
    async let sent: Void = scene.body.write(Writer(written: written))
    var reading = texts.makeAsyncIterator()
    #expect(await reading.next() == "begin")
    scene.source.yield("one")
    #expect(await reading.next() == "one")
    _ = try await scene.access.revokeToken(scene.token)
    #expect(await reading.next() == "the end")
    try await sent
    await scene.store.close()
  }

  @Test func `what waits for a stream when its token ends is not sent`() async throws {
    let scene = try await Scene()
    scene.source.yield("one")
    scene.source.yield("two")
    _ = try await scene.access.revokeToken(scene.token)
    let (texts, written) = AsyncStream.makeStream(of: String.self)
    await #expect(throws: APIProblem.self) {
      try await scene.body.write(Writer(written: written))
    }
    written.finish()
    #expect(await texts.reduce(into: [String]()) { $0.append($1) } == ["begin"])
    await scene.store.close()
  }

  @Test func `a principal without a token has no end`() async throws {
    let scene = try await Scene()
    let end = TokenEnd()
    try end.observe(ListenerKind.local, of: scene.access)
    _ = try await scene.access.revokeToken(scene.token)
    #expect(throws: Never.self) { try end.check() }
    #expect(throws: APIProblem.self) { try scene.end.check() }
    await scene.store.close()
  }
}
