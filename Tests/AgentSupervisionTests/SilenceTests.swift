import AgentSupervision
import Glibc
import Testing

/// Children that don't answer, aren't ready or have closed their socket.
@Suite struct SilenceTests {
  @Test func `a missed answer kills the child and says how long there was none`() {
    var driver = MachineDriver()
    driver.bringUp()
    driver.receive(.timer(.ping))
    #expect(driver.actions == [.schedule(.answer, after: .seconds(15)), .ping])
    driver.wait(.seconds(15))
    driver.receive(.timer(.answer), .timer(.answer))
    #expect(driver.actions.contains(.signal(SIGKILL)))
    #expect(driver.machine.reason == "didn't answer for 15 s")
    driver.receive(.exited(.signalled(signal: SIGKILL, core: false)))
    #expect(driver.machine.state == .starting)
  }

  /// After a stall of the loop the timers are due before the sockets are read.
  @Test(
    arguments: [(.ready, .ready), (.answer, .alive), (.hangUp, nil)]
      as [(ChildTimer, WorkerReport?)])
  func `a child that seems silent is looked at once more before it is killed`(
    timer: ChildTimer, late: WorkerReport?
  ) {
    var driver = MachineDriver()
    driver.receive(.startRequested, .spawned)
    if timer != .ready {
      driver.receive(
        .reported(.ready), .reported(.started), .timer(.ping), .reported(.hungUp))
    }
    for _ in 0..<2 {
      driver.receive(.timer(timer))
      #expect(driver.actions == [.schedule(timer, after: .milliseconds(200))])
      guard let late else { break }
      driver.receive(.reported(late))
      #expect(driver.machine.reason == nil)
      // It was in time. The next silence is judged by itself.
      if timer == .ready { return }
      driver.receive(.timer(.ping))
    }
    if late == nil { driver.crash() } else { driver.receive(.timer(timer), .timer(timer)) }
    #expect(late == nil || driver.actions.contains(.signal(SIGKILL)))
    let reason = late == nil ? "was ended by" : "didn't answer"
    #expect(driver.machine.reason?.hasPrefix(reason) == true)
  }

  @Test func `an answer or a heartbeat schedules the next ping`() {
    var driver = MachineDriver()
    driver.bringUp()
    driver.receive(.timer(.ping), .reported(.alive))
    #expect(driver.actions == [.cancel(.answer), .schedule(.ping, after: .seconds(5))])
    driver.receive(.timer(.answer))
    #expect(driver.actions.isEmpty)
  }

  @Test func `a child that isn't ready in time is killed`() {
    var driver = MachineDriver()
    driver.receive(.startRequested, .spawned, .timer(.ready), .timer(.ready))
    #expect(driver.actions.contains(.signal(SIGKILL)))
    #expect(driver.machine.reason == "wasn't ready after 30 s")
  }

  @Test func `a process that is ending may close its socket`() {
    var driver = MachineDriver()
    driver.bringUp()
    driver.receive(.reported(.hungUp))
    #expect(driver.actions == [.schedule(.hangUp, after: .seconds(1))])
    var lives = driver
    lives.receive(.timer(.hangUp), .timer(.hangUp))
    #expect(lives.machine.reason == "closed its socket and went on running")
    driver.crash()
    #expect(driver.machine.reason == "was ended by SIGSEGV (invalid memory access)")
  }
}
