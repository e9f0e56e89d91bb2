import AgentAssignment
import Testing

struct BotStateMachineTests {
  @Test func `missed heartbeats requeue the tasks, and a heartbeat restores the status`() {
    var life = BotStateMachine.said(.draining)
    #expect(life.apply(.heartbeatMissed) == [.announce(.offline), .requeueTasks])
    #expect(life == .lost(was: .draining) && life.status == .offline)
    #expect(life.apply(.heartbeatMissed) == [])
    #expect(life.apply(.heartbeat) == [.announce(.draining)])
    #expect(life == .said(.draining))
  }

  @Test(arguments: [BotStatus.offline, .error])
  func `a heartbeat doesn't bring back a bot that was set offline or in error`(status: BotStatus) {
    var life = BotStateMachine.said(status)
    #expect(life.apply(.heartbeat) == [] && life.apply(.heartbeatMissed) == [])
    #expect(life == .said(status))
    #expect(life.apply(.said(.online)) == [.announce(.online)])
    #expect(life.takesTasks)
  }

  @Test func `tasks are requeued once, whatever follows`() {
    var life = BotStateMachine.said(.online)
    #expect(life.apply(.said(.error)) == [.announce(.error), .requeueTasks])
    #expect(life.apply(.said(.offline)) == [.announce(.offline)])
    life = .lost(was: .online)
    #expect(life.apply(.said(.offline)) == [])
    #expect(life == .said(.offline))
  }

  @Test func `a draining or busy bot keeps its tasks`() {
    var life = BotStateMachine.said(.online)
    #expect(life.apply(.said(.busy)) == [.announce(.busy)])
    #expect(life.apply(.said(.draining)) == [.announce(.draining)])
    #expect(life.apply(.said(.draining)) == [])
  }

  @Test func `an unregistered bot accepts no more transitions`() {
    var life = BotStateMachine.lost(was: .online)
    #expect(life.apply(.unregister) == [.requeueTasks, .forget])
    #expect(life.apply(.unregister) == [] && life.apply(.said(.online)) == [])
    #expect(life == .gone && !life.takesTasks)
  }
}
