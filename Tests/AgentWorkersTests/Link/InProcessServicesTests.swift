import AgentEvents
import AgentSystem
import AgentWorkerProtocol
import CAgentModule
import Synchronization
import Testing

@testable import AgentModuleLoader
@testable import AgentWorkers

/// Subscriptions of a module inside the host that come while the module is stopped.
@Suite struct InProcessServicesTests {
  private static let request = Subscribe(query: "tick").json
  private let bus = EventBus(now: { 0 })

  /// - Parameter steady: the clock of the positions, which is read while a subscription is opened.
  private func services(
    steady: @escaping @Sendable () -> Duration = { .zero }
  ) -> InProcessServices {
    InProcessServices(
      name: "p", module: "m",
      services: WorkerServices(
        events: bus, positions: SubscriptionPositions(steady: steady), log: { _ in },
        sandboxReached: { _, _ in }, ended: { _, _ in }),
      thread: ModuleThread())
  }

  /// Subscribes with a subscriber that isn't called: its thread doesn't run.
  private func subscribe(_ services: InProcessServices) -> Result<UInt64, ModuleFailure> {
    var subscriber = agent_subscriber_v1()
    return withUnsafePointer(to: &subscriber) {
      services.subscribe(request: Self.request, subscriber: EventSubscriber($0))
    }
  }

  private func status(_ result: Result<UInt64, ModuleFailure>) -> ModuleStatus {
    if case .failure(let failure) = result { failure.status } else { .ok }
  }

  @Test func `a subscription after the stop is refused`() {
    let services = services()
    #expect(status(subscribe(services)) == .ok)
    #expect(bus.counts.subscriptions == 1)
    services.close()
    #expect(bus.counts.subscriptions == 0)
    #expect(status(subscribe(services)) == .closed)
    #expect(bus.counts.subscriptions == 0)
  }

  @Test func `a subscription that is being opened at the stop is ended and refused`() {
    let whileOpening = Mutex<(@Sendable () -> Void)?>(nil)
    let services = services(steady: {
      whileOpening.withLock(\.self)?()
      return .zero
    })
    whileOpening.withLock { $0 = { services.close() } }
    #expect(status(subscribe(services)) == .closed)
    #expect(bus.counts.subscriptions == 0)
    whileOpening.withLock { $0 = nil }
  }
}
