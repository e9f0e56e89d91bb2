import AgentStore
import AgentWorkers
import HTTPTypes
import Testing

@testable import AgentWeb

@Suite struct IdempotencyMiddlewareTests {
  @Test func `a refusal frees its key`() {
    let refusals: [any Error] = [
      HostError(.invalid, "No."), HostError(.notFound, "No."), HostError(.conflict, "No."),
      HostError(.notReady, "Not yet."), APIProblem(.tooManyRequests, "busy", "Later."),
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
}
