import AgentStore
import Synchronization
import Testing

@testable import AgentDiagnostics

@Suite struct StoreHindranceTests {
  private final class Clock: Sendable {
    private let state = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { state.withLock { $0 } }
    func advance(_ time: Duration) { state.withLock { $0 += time } }
  }

  @Test func `ends are attributed to the database until shortly after it takes writes again`() {
    let clock = Clock()
    let hindrance = StoreHindrance(now: { clock.now })
    #expect(!hindrance.lasts)
    #expect(!hindrance.changed(to: .ready))
    let full = StoreCondition.full(.init(since: 0, message: "There is no room."))
    #expect(!hindrance.changed(to: full))
    clock.advance(.seconds(3600))
    #expect(hindrance.lasts)
    #expect(hindrance.changed(to: .ready))
    #expect(hindrance.lasts)
    clock.advance(StoreHindrance.echo)
    #expect(!hindrance.lasts)
    #expect(!hindrance.changed(to: .ready))
  }
}
