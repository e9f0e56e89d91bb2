import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import AgentWeb

/// A group whose services end in any order.
@Suite(.timeLimit(.minutes(5))) struct ServiceInTurnTests {
  /// Ends by itself once it is told to.
  private struct Early: Service {
    let end: AsyncStream<Void>

    func run() async throws { for await _ in end { return } }
  }

  /// The group ends it first. It goes on for as long as `lingers` takes.
  private struct First: Service {
    let lingers: @Sendable () async -> Void

    func run() async throws {
      try await gracefulShutdown()
      await lingers()
    }
  }

  private func group(_ services: [any Service]) -> ServiceGroup {
    ServiceGroup(
      configuration: .init(
        services: services.map { .init(service: $0) }, logger: Logger(label: "test")))
  }

  @Test func `a service that ends before its turn doesn't fail its group`() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let hasEnded = Atomic(false)
    let early = ServiceInTurn(Early(end: ends)) { hasEnded.store(true, ordering: .relaxed) }
    let first = First {
      end.yield()
      while !hasEnded.load(ordering: .relaxed), !Task.isCancelled { await Task.yield() }
      // The group has time to notice an end. It cancels this service if it takes it for a failure.
      for _ in 0..<10_000 where !Task.isCancelled { await Task.yield() }
    }
    let group = group([early, first])
    await group.triggerGracefulShutdown()
    await #expect(throws: Never.self) { try await group.run() }
    let isOver = hasEnded.load(ordering: .relaxed)
    #expect(isOver)
  }

  @Test func `a service that ends by itself ends its group, and a cancelled one waits for nobody`()
    async throws
  {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    end.yield()
    let (told, tell) = AsyncStream.makeStream(of: Void.self)
    let early = ServiceInTurn(Early(end: ends)) { tell.yield() }
    let working = Task { [group = group([early])] in try await group.run() }
    for await _ in told { break }
    working.cancel()
    try await working.value
  }
}
