import AgentAssignment
import Testing

struct BotStateMachineTests {
  @Test func `missed heartbeats requeue the tasks, and a heartbeat restores the status`() {
    var lifecycle = BotStateMachine.said(.draining)
    #expect(lifecycle.apply(.heartbeatMissed) == [.announce(.offline), .requeueTasks])
    #expect(lifecycle == .lost(was: .draining) && lifecycle.status == .offline)
    #expect(lifecycle.apply(.heartbeatMissed) == [])
    #expect(lifecycle.apply(.heartbeat) == [.announce(.draining)])
    #expect(lifecycle == .said(.draining))
  }

  @Test(arguments: [BotStatus.offline, .error])
  func `a heartbeat doesn't bring back a bot that was set offline or in error`(status: BotStatus) {
    var lifecycle = BotStateMachine.said(status)
    #expect(lifecycle.apply(.heartbeat) == [] && lifecycle.apply(.heartbeatMissed) == [])
    #expect(lifecycle == .said(status))
    #expect(lifecycle.apply(.said(.online)) == [.announce(.online)])
    #expect(lifecycle.takesTasks)
  }

  @Test func `tasks are requeued once, whatever follows`() {
    var lifecycle = BotStateMachine.said(.online)
    #expect(lifecycle.apply(.said(.error)) == [.announce(.error), .requeueTasks])
    #expect(lifecycle.apply(.said(.offline)) == [.announce(.offline)])
    lifecycle = .lost(was: .online)
    #expect(lifecycle.apply(.said(.offline)) == [])
    #expect(lifecycle == .said(.offline))
  }

  @Test func `a draining or busy bot keeps its tasks`() {
    var lifecycle = BotStateMachine.said(.online)
    #expect(lifecycle.apply(.said(.busy)) == [.announce(.busy)])
    #expect(lifecycle.apply(.said(.draining)) == [.announce(.draining)])
    #expect(lifecycle.apply(.said(.draining)) == [])
  }

  @Test func `an unregistered bot accepts no more transitions`() {
    var lifecycle = BotStateMachine.lost(was: .online)
    #expect(lifecycle.apply(.unregister) == [.requeueTasks, .forget])
    #expect(lifecycle.apply(.unregister) == [] && lifecycle.apply(.said(.online)) == [])
    #expect(lifecycle == .gone && !lifecycle.takesTasks)
  }
}
