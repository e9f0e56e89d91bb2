import AgentStore
import AgentWorkers
import HTTPTypes
import Hummingbird
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

  @Test func `a key that can't be freed is logged, and the client gets the refusal`() async throws {
    let fixture = try await IdempotencyFixture()
    let error = await #expect(throws: HostError.self) {
      try await fixture.send { _ in
        await fixture.store.close()
        throw HostError(.invalid, "No.")
      }
    }
    #expect(error?.message == "No.")
    #expect(fixture.warnings.first?.hasPrefix("An idempotency key can't be freed") == true)
  }

  @Test func `an answer that breaks off leaves its request interrupted`() async throws {
    let fixture = try await IdempotencyFixture()
    await #expect(throws: HostError.self) {
      try await fixture.send { _ in
        Response(
          status: .ok,
          body: ResponseBody(contentLength: 1) { _ in throw HostError(.invalid, "It broke.") })
      }
    }
    let error = await #expect(throws: HostError.self) { try await fixture.send() }
    #expect(error?.message.contains("It is unknown how much was done") == true)
    #expect(fixture.count == 1)
    await fixture.store.close()
  }
}
