import AgentAccess
import AgentJSON
import AgentStore
import AgentWorkers
import HTTPTypes
import Hummingbird
import Testing

@testable import AgentWeb

/// The answers to a request with an idempotency key that is sent again.
@Suite(.timeLimit(.minutes(5))) struct IdempotencyKeyTests {
  private func text(_ response: Response) async throws -> String {
    String(decoding: try await BodyCollector.bytes(of: response.body) ?? [], as: UTF8.self)
  }

  @Test func `a repeated request gets the first answer, and its work is done once`() async throws {
    let fixture = try await IdempotencyFixture()
    let first = try await fixture.send()
    let again = try await fixture.send { _ in Response(["id": 8]) }
    #expect(fixture.count == 1)
    #expect(first.status == .created && again.status == .created)
    #expect(try await text(first) == #"{"id":7}"#)
    #expect(try await text(again) == #"{"id":7}"#)
    #expect(again.headers[.contentType] == "application/json")
    #expect(first.headers[.idempotencyReplayed] == nil)
    #expect(again.headers[.idempotencyReplayed] == "true")
    await fixture.store.close()
  }

  @Test func `a key is refused for another body and for another address`() async throws {
    let fixture = try await IdempotencyFixture()
    try await fixture.send()
    for other in [
      IdempotencyFixture.Order(body: #"{"count": 8}"#), .init(path: "/orders?dry_run"),
      .init(body: ""),
    ] {
      let error = await #expect(throws: APIProblem.self) { try await fixture.send(other) }
      #expect(error?.status == .unprocessableContent && error?.code == "key_reused")
    }
    #expect(fixture.count == 1)
    await fixture.store.close()
  }

  @Test func `each token has keys of its own`() async throws {
    let fixture = try await IdempotencyFixture()
    try await fixture.send()
    try await fixture.send(.init(token: "2", body: #"{"count": 8}"#))
    try await fixture.send(.init(key: "l"))
    #expect(fixture.count == 3)
    await fixture.store.close()
  }

  @Test func `a request is refused while the first of its key is in progress`() async throws {
    let fixture = try await IdempotencyFixture()
    try await fixture.send { _ in
      let error = await #expect(throws: HostError.self) { try await fixture.send() }
      #expect(error?.code == .conflict && error?.message.contains("in progress") == true)
      return Response(.null)
    }
    #expect(try await fixture.send().headers[.idempotencyReplayed] == "true")
    #expect(fixture.count == 1)
    await fixture.store.close()
  }

  @Test func `a refused request is done when it is sent again`() async throws {
    let fixture = try await IdempotencyFixture()
    for code in [HostError.Code.invalid, .notReady] {
      await #expect(throws: HostError.self) {
        try await fixture.send { _ in throw HostError(code, "No.") }
      }
    }
    try await fixture.send()
    #expect(fixture.count == 3)
    await fixture.store.close()
  }

  @Test func `a request that failed isn't done again under its key`() async throws {
    let fixture = try await IdempotencyFixture()
    await #expect(throws: HostError.self) {
      try await fixture.send { _ in throw HostError(.failed, "It broke.") }
    }
    let error = await #expect(throws: HostError.self) { try await fixture.send() }
    #expect(error?.code == .conflict && error?.message.contains("It is unknown") == true)
    try await fixture.send(.init(key: "l"))
    #expect(fixture.count == 2)
    await fixture.store.close()
  }

  @Test func `an answer is given again for a day`() async throws {
    let fixture = try await IdempotencyFixture()
    try await fixture.send()
    fixture.advance(IdempotencyStore.lifetime)
    #expect(try await fixture.send().headers[.idempotencyReplayed] == "true")
    fixture.advance(1)
    #expect(try await fixture.send().headers[.idempotencyReplayed] == nil)
    #expect(fixture.count == 2)
    await fixture.store.close()
  }

  @Test func `an answer that is too large is given once`() async throws {
    let fixture = try await IdempotencyFixture()
    let first = try await fixture.send { _ in
      let bytes = [UInt8](repeating: 0x78, count: IdempotencyStore.maxReplyBytes + 1)
      return Response(bytes: bytes, as: "text/plain")
    }
    #expect(first.body.contentLength == IdempotencyStore.maxReplyBytes + 1)
    let error = await #expect(throws: APIProblem.self) { try await fixture.send() }
    #expect(error?.status == .conflict && error?.code == "reply_not_kept")
    #expect(fixture.count == 1)
    await fixture.store.close()
  }

  @Test func `a stream isn't kept, so its request is done again`() async throws {
    let fixture = try await IdempotencyFixture()
    for _ in 0..<2 {
      try await fixture.send { _ in
        Response(status: .ok, body: ResponseBody { writer in try await writer.finish(nil) })
      }
    }
    #expect(fixture.count == 2)
    await fixture.store.close()
  }

  @Test(arguments: [
    ("", false), ("k", true), (String(repeating: "k", count: 255), true),
    (String(repeating: "k", count: 256), false), (String(repeating: "é", count: 128), false),
  ])
  func `a key has 1 to 255 bytes`(_ key: String, isValid: Bool) async throws {
    let fixture = try await IdempotencyFixture()
    if isValid {
      try await fixture.send(.init(key: key))
    } else {
      await #expect(throws: HostError.self) { try await fixture.send(.init(key: key)) }
    }
    #expect(fixture.count == (isValid ? 1 : 0))
    await fixture.store.close()
  }

  @Test func `a route that isn't repeatable, and lines, take no key`() async throws {
    let fixture = try await IdempotencyFixture()
    for order in [
      IdempotencyFixture.Order(options: []), .init(body: "", contentType: "application/x-ndjson"),
    ] {
      let error = await #expect(throws: HostError.self) { try await fixture.send(order) }
      #expect(error?.code == .invalid)
      #expect(error?.message.contains("Idempotency-Key") == true)
    }
    #expect(fixture.count == 0)
    await fixture.store.close()
  }
}
