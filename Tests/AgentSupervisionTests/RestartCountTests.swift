import AgentSupervision
import Glibc
import Testing

/// Which ends count towards FAILED.
@Suite struct RestartCountTests {
  @Test func `ends before READY count in a row, however long each takes`() {
    var driver = MachineDriver(restart: .init(intensity: 5, intensityPeriod: .seconds(60)))
    driver.receive(.startRequested)
    for _ in 0..<5 {
      driver.receive(.spawned)
      driver.wait(.seconds(30))
      driver.receive(.timer(.ready), .exited(.signalled(signal: SIGKILL, core: false)))
      driver.receive(.timer(.backOff))
    }
    #expect(driver.machine.state == .starting)
    driver.wait(.seconds(30))
    driver.receive(.timer(.ready), .exited(.signalled(signal: SIGKILL, core: false)))
    guard case .failed(let reason) = driver.machine.state else {
      Issue.record("not failed: \(driver.machine.state)")
      return
    }
    #expect(reason.contains("6 times in a row before it was ready"), "\(reason)")
  }

  @Test func `a READY in between restarts the count of ends before READY`() {
    var driver = MachineDriver(restart: .init(intensity: 2))
    driver.receive(.startRequested)
    for _ in 0..<6 {
      driver.wait(.seconds(61))
      driver.crash()
      driver.receive(.timer(.backOff))
      driver.wait(.seconds(61))
      driver.receive(.spawned, .reported(.ready))
      driver.crash()
      driver.receive(.timer(.backOff))
    }
    #expect(driver.machine.state == .starting)
  }

  @Test func `ends during a hindrance never fail a child, and their pauses grow`() {
    var driver = MachineDriver(restart: .init(intensity: 1), isHindered: true)
    driver.receive(.startRequested)
    for _ in 0..<20 {
      driver.getReady()
      driver.crash()
      driver.receive(.timer(.backOff))
      driver.receive(.spawned)
      driver.crash()
      #expect(driver.machine.isHindered)
      driver.receive(.timer(.backOff))
      #expect(!driver.machine.isHindered)
    }
    #expect(driver.machine.state == .starting)
    driver.crash()
    #expect(driver.pause == .seconds(60))
  }
}
