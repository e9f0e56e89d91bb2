import AgentAssignment
import Testing

struct BotStateMachineTests {
  @Test func `Heartbeats that stop take its tasks, and their return gives back what was said`() {
    var life = BotStateMachine.said(.draining)
    #expect(life.apply(.heartbeatMissed) == [.announce(.offline), .requeueTasks])
    #expect(life == .lost(was: .draining) && life.status == .offline)
    #expect(life.apply(.heartbeatMissed) == [])
    #expect(life.apply(.heartbeat) == [.announce(.draining)])
    #expect(life == .said(.draining))
  }

  @Test(arguments: [BotStatus.offline, .error])
  func `Who was said to be away isn't brought back by a heartbeat`(status: BotStatus) {
    var life = BotStateMachine.said(status)
    #expect(life.apply(.heartbeat) == [] && life.apply(.heartbeatMissed) == [])
    #expect(life == .said(status))
    #expect(life.apply(.said(.online)) == [.announce(.online)])
    #expect(life.takesTasks)
  }

  @Test func `Tasks are queued again once, however it goes on`() {
    var life = BotStateMachine.said(.online)
    #expect(life.apply(.said(.error)) == [.announce(.error), .requeueTasks])
    #expect(life.apply(.said(.offline)) == [.announce(.offline)])
    life = .lost(was: .online)
    #expect(life.apply(.said(.offline)) == [])
    #expect(life == .said(.offline))
  }

  @Test func `Draining and busy keep what they have`() {
    var life = BotStateMachine.said(.online)
    #expect(life.apply(.said(.busy)) == [.announce(.busy)])
    #expect(life.apply(.said(.draining)) == [.announce(.draining)])
    #expect(life.apply(.said(.draining)) == [])
  }

  @Test func `After the end nothing happens`() {
    var life = BotStateMachine.lost(was: .online)
    #expect(life.apply(.unregister) == [.requeueTasks, .forget])
    #expect(life.apply(.unregister) == [] && life.apply(.said(.online)) == [])
    #expect(life == .gone && !life.takesTasks)
  }
}
