import AgentSupervision
import Glibc
import Testing

/// Drives a machine by a clock of its own and keeps the actions of the last step.
struct MachineDriver {
  var machine: ChildMachine
  var now = LoopInstant(nanoseconds: 0)
  var actions: [ChildAction] = []

  init(
    restart: RestartPolicy = .init(), timeouts: ChildTimeouts = .init(),
    startMode: ChildMachine.StartMode = .atOnce, isHindered: Bool = false, random: Double = 1
  ) {
    let spec = ChildSpec(
      name: "a", command: ChildCommand(executable: "/bin/true"), restart: restart,
      timeouts: timeouts)
    machine = ChildMachine(
      spec, startMode: startMode, hindrance: { isHindered }, random: { random })
  }

  mutating func receive(_ inputs: ChildInput...) {
    for input in inputs { actions = machine.receive(input, at: now) }
  }

  mutating func wait(_ duration: Duration) {
    now = now + duration
  }

  /// From stopped to running.
  mutating func bringUp() {
    receive(.startRequested, .spawned, .reported(.ready), .reported(.started))
  }

  /// From a spawn to running.
  mutating func getReady() {
    receive(.spawned, .reported(.ready), .reported(.started))
  }

  mutating func crash() {
    receive(.exited(.signalled(signal: SIGSEGV, core: false)))
  }

  /// The pause before the next start; `nil`: none is planned.
  var pause: Duration? {
    for case .report(.restarting(let pause)) in actions { return pause }
    return nil
  }

  func delay(of timer: ChildTimer) -> Duration? {
    for case .schedule(timer, let delay) in actions { return delay }
    return nil
  }
}

@Suite struct ChildMachineTests {
  @Test func `a start goes from spawn through ready to running`() {
    var driver = MachineDriver()
    driver.receive(.startRequested)
    #expect(driver.actions == [.schedule(.ready, after: .seconds(30)), .spawn])
    #expect(driver.machine.state == .starting)
    driver.receive(.spawned, .reported(.ready))
    #expect(
      driver.actions == [
        .cancel(.ready), .report(.ready), .startWork, .schedule(.ping, after: .seconds(5)),
      ])
    #expect(driver.machine.state == .running(started: false))
    driver.receive(.reported(.started))
    #expect(driver.machine.state == .running(started: true))
  }

  @Test func `a ready child is replaced at once the first time and after pauses later`() {
    var driver = MachineDriver()
    driver.bringUp()
    driver.crash()
    #expect(driver.pause == .zero)
    #expect(driver.actions.last == .spawn)
    var pauses: [Duration?] = []
    for _ in 0..<3 {
      driver.getReady()
      driver.crash()
      pauses.append(driver.pause)
      driver.receive(.timer(.backOff))
    }
    #expect(pauses == [.milliseconds(200), .milliseconds(400), .milliseconds(800)])
    #expect(driver.machine.restarts == 4)
  }

  @Test func `jitter stays in the upper half, and pauses in their bounds`() {
    let patient = RestartPolicy(intensity: 1000)
    for example in [
      (random: 0.0, least: 100, greatest: 30_000), (random: 1.0, least: 200, greatest: 60_000),
    ] {
      var driver = MachineDriver(restart: patient, random: example.random)
      driver.receive(.startRequested)
      var pauses: [Duration] = []
      for _ in 0..<40 {
        driver.receive(.spawned)
        driver.crash()
        pauses.append(driver.pause ?? .zero)
        driver.receive(.timer(.backOff))
      }
      #expect(pauses.first == .milliseconds(example.least))
      #expect(pauses.last == .milliseconds(example.greatest))
    }
  }

  @Test func `a child that was never ready waits before its first restart`() {
    var driver = MachineDriver()
    driver.receive(.startRequested, .spawned)
    driver.crash()
    #expect(driver.pause == .milliseconds(200))
    #expect(driver.machine.state == .backingOff(until: driver.now + .milliseconds(200)))
  }

  @Test func `too many exits without health are a failure that can be retried`() {
    var driver = MachineDriver(restart: .init(intensity: 2))
    driver.receive(.startRequested)
    for _ in 0..<3 {
      driver.getReady()
      driver.crash()
      driver.receive(.timer(.backOff))
    }
    guard case .failed(let reason) = driver.machine.state else {
      Issue.record("not failed: \(driver.machine.state)")
      return
    }
    #expect(reason.contains("3 times"))
    #expect(reason.contains("SIGSEGV"))
    driver.receive(.retryRequested)
    #expect(driver.machine.state == .starting)
    driver.getReady()
    driver.crash()
    #expect(driver.pause == .zero)
  }

  @Test func `exits after a healthy period never fail a child`() {
    var driver = MachineDriver(restart: .init(intensity: 1))
    driver.bringUp()
    for _ in 0..<10 {
      driver.wait(.seconds(10))
      driver.crash()
      driver.receive(.timer(.backOff))
      driver.getReady()
    }
    #expect(driver.machine.state == .running(started: true))
  }

  @Test func `a quiet minute makes the next restart immediate again`() {
    var driver = MachineDriver()
    driver.bringUp()
    driver.crash()
    driver.getReady()
    driver.wait(.seconds(61))
    driver.crash()
    #expect(driver.pause == .zero)
  }

  @Test(arguments: [
    (RestartMode.transient, Int32(0), ChildState.finished(succeeded: true)),
    (.transient, 1, .starting),
    (.temporary, 0, .finished(succeeded: true)),
    (.temporary, 1, .finished(succeeded: false)),
    (.permanent, 0, .starting),
  ])
  func `the mode decides what follows an exit`(
    mode: RestartMode, code: Int32, state: ChildState
  ) {
    var driver = MachineDriver(restart: .init(mode: mode))
    driver.bringUp()
    driver.receive(.exited(.exited(code: code)))
    #expect(driver.machine.state == state)
  }

  @Test func `work that ended by itself is stopped and judged by its report`() {
    var driver = MachineDriver(restart: .init(mode: .transient))
    driver.bringUp()
    driver.receive(.reported(.endedByItself(succeeded: true, message: "all read")))
    #expect(driver.actions.contains(.askToStop(deadline: .seconds(5))))
    driver.receive(.exited(.exited(code: 1)))
    #expect(driver.machine.state == .finished(succeeded: true))
    #expect(driver.machine.reason == "all read")
  }

  @Test func `a child that doesn't stop gets STOP, SIGTERM and SIGKILL in this order`() {
    var driver = MachineDriver()
    driver.bringUp()
    driver.receive(.stopRequested(deadline: .seconds(3)))
    #expect(driver.actions.contains(.askToStop(deadline: .seconds(3))))
    #expect(driver.delay(of: .stop) == .seconds(3))
    driver.receive(.timer(.stop))
    #expect(driver.actions == [.signal(SIGTERM), .schedule(.stop, after: .seconds(2))])
    driver.receive(.timer(.stop))
    #expect(driver.actions == [.signal(SIGKILL)])
    #expect(driver.machine.state == .stopping(.killed))
    driver.receive(.exited(.signalled(signal: SIGKILL, core: false)))
    #expect(driver.machine.state == .stopped)
    #expect(driver.machine.restarts == 0)
  }

  @Test func `a limit or a breach kills at once, and its reason survives the exit`() {
    var driver = MachineDriver()
    driver.bringUp()
    driver.receive(.limitExceeded(message: "used 312 MB"))
    #expect(driver.actions.first == .report(.limitExceeded(message: "used 312 MB")))
    driver.receive(.exited(.signalled(signal: SIGKILL, core: false)))
    let exited = SupervisionEvent.Kind.exited(
      .signalled(signal: SIGKILL, core: false), reason: "used 312 MB")
    #expect(driver.actions.contains(.report(exited)))
    driver.getReady()
    driver.receive(.reported(.breach(reason: "sent garbage")))
    #expect(driver.actions.contains(.signal(SIGKILL)))
    // A killed child that goes on breaking the protocol is reported once.
    driver.receive(.reported(.breach(reason: "more")), .limitExceeded(message: "used 312 MB"))
    #expect(driver.actions == [])
  }

  @Test func `a refusal fails without a retry`() {
    var driver = MachineDriver()
    driver.receive(.startRequested, .spawned, .reported(.refused(reason: "the library lies")))
    driver.receive(.exited(.exited(code: 0)))
    #expect(driver.machine.state == .failed(reason: "the library lies"))
  }

  @Test func `an impossible spawn fails, and a possible one is retried`() {
    var driver = MachineDriver()
    driver.receive(.startRequested, .spawnFailed(reason: "no such file", isPermanent: true))
    #expect(driver.machine.state == .failed(reason: "no such file"))
    driver.receive(.retryRequested, .spawnFailed(reason: "no memory", isPermanent: false))
    #expect(driver.pause == .milliseconds(200))
  }

  @Test func `requests during a stop are handled when it is over`() {
    var driver = MachineDriver()
    driver.bringUp()
    driver.receive(.stopRequested(deadline: nil), .startRequested)
    driver.receive(.exited(.exited(code: 0)))
    #expect(driver.machine.state == .starting)
    driver.receive(.spawned, .restartRequested, .stopRequested(deadline: nil))
    driver.receive(.exited(.exited(code: 0)))
    #expect(driver.machine.state == .stopped)
  }

  @Test func `a stop cancels a scheduled start`() {
    var driver = MachineDriver()
    driver.receive(.startRequested, .spawned)
    driver.crash()
    driver.receive(.stopRequested(deadline: nil))
    #expect(driver.actions == [.cancelTimers, .report(.stopped)])
    driver.receive(.timer(.backOff))
    #expect(driver.actions.isEmpty)
    #expect(driver.machine.state == .stopped)
  }

  @Test func `a stop with less time shortens one that is under way`() {
    var driver = MachineDriver()
    driver.bringUp()
    driver.receive(.stopRequested(deadline: .seconds(60)))
    driver.wait(.seconds(1))
    driver.receive(.stopRequested(deadline: .seconds(2)))
    #expect(driver.actions == [.schedule(.stop, after: .seconds(2))])
    driver.receive(.stopRequested(deadline: .seconds(30)))
    #expect(driver.actions.isEmpty)
    driver.receive(.timer(.stop))
    #expect(driver.actions.first == .signal(SIGTERM))
    driver.receive(.stopRequested(deadline: .zero))
    #expect(driver.actions.isEmpty)
  }

  @Test func `a held child waits for its release and isn't restarted before`() {
    var driver = MachineDriver(restart: .init(), timeouts: .init(), startMode: .held)
    driver.receive(.startRequested, .spawned, .reported(.ready))
    #expect(!driver.actions.contains(.startWork))
    var failing = driver
    failing.crash()
    #expect(
      failing.machine.state == .failed(reason: "was ended by SIGSEGV (invalid memory access)"))
    #expect(
      driver.machine.release(at: driver.now) == [.startWork, .schedule(.ping, after: .seconds(5))])
    driver.receive(.reported(.started))
    driver.crash()
    #expect(driver.pause == .zero)
  }

  @Test func `no input traps or leaves a state without an exit`() {
    let inputs: [ChildInput] =
      [
        .startRequested, .stopRequested(deadline: nil), .restartRequested, .retryRequested,
        .spawned,
        .spawnFailed(reason: "x", isPermanent: false), .spawnFailed(reason: "x", isPermanent: true),
        .reported(.ready), .reported(.started), .reported(.alive), .reported(.stopped),
        .reported(.endedByItself(succeeded: false, message: nil)), .reported(.refused(reason: "x")),
        .reported(.breach(reason: "x")), .reported(.hungUp), .exited(.exited(code: 0)),
        .limitExceeded(message: "x"),
      ]
      + ChildTimer.allCases.map { .timer($0) }
    for first in inputs {
      for second in inputs {
        for third in inputs {
          var driver = MachineDriver()
          driver.receive(.startRequested, first, second, third)
          driver.receive(.stopRequested(deadline: nil), .exited(.exited(code: 0)))
          #expect(driver.machine.state == .stopped, "\(first) \(second) \(third)")
        }
      }
    }
  }
}
