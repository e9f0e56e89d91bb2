import AgentSupervision
import Glibc
import Synchronization
import Testing

/// A caller that waits for a child gets an answer, whatever the child does.
@Suite(.timeLimit(.minutes(5))) struct WaitTests {
  @Test func `a wait for a child that hangs at its start ends at its deadline`() async throws {
    let test = try TestSupervisor()
    try await test.add(.shell("a", script: "sleep 1000", timeouts: .init(stop: .zero)))
    try await test.supervisor.start("a")
    let status = try await test.supervisor.settled("a", within: .milliseconds(20))
    #expect(status.state == .starting)
    await test.supervisor.shutdown()
  }

  @Test func `a wait for a child that never reports its start ends`() async throws {
    let test = try TestSupervisor()
    try await test.add(.shell("a", script: "echo ready >&3; sleep 1000"))
    try await test.supervisor.start("a")
    await test.events.next(.ready)
    let status = try await test.supervisor.settled("a", within: .milliseconds(20))
    #expect(status.state == .running(started: false))
    await test.supervisor.shutdown(deadline: .milliseconds(10))
  }

  @Test func `a stop that a start overtakes is reported as overtaken`() async throws {
    let test = try TestSupervisor()
    let deaf = "echo ready >&3; while read -r word <&3; do echo started >&3; done"
    let timeouts = ChildTimeouts(stop: .seconds(120), pingInterval: nil)
    let running = try await test.run(.shell("a", script: deaf, timeouts: timeouts))
    let stopping = Task { try await test.supervisor.stop("a") }
    await test.events.next(.stopping(reason: nil))
    try await test.supervisor.start("a")
    kill(try #require(running.pid), SIGKILL)
    let error = await #expect(throws: SupervisionError.self) { try await stopping.value }
    #expect(error?.code == .overtaken)
    #expect(error?.message.contains("restarted") == true)
    #expect(try await test.supervisor.settled("a").state == .running(started: true))
    await test.supervisor.shutdown()
  }

  @Test func `a child that ended during a hindrance is started when the hindrance is over`()
    async throws
  {
    let hindrance = Flag(true)
    let test = try TestSupervisor(.init(isHindered: { hindrance.value }, random: { 1 }))
    let script = "echo ready >&3; read -r w <&3; exit 1"
    let patient = RestartPolicy(intensity: 2, backOff: .milliseconds(1) ... .seconds(1000))
    try await test.add(.shell("a", script: script, restart: patient))
    try await test.supervisor.start("a")
    // Far more ends than are forgiven, until the pause is longer than this test may take.
    let long = Duration.seconds(2)
    let _: Bool = await test.events.next { event in
      if case .restarting(let pause) = event.kind, pause >= long { true } else { nil }
    }
    guard case .backingOff = try await test.supervisor.status("a").state else {
      Issue.record("it doesn't wait")
      return
    }
    hindrance.value = false
    await test.supervisor.endHindrance()
    await test.events.next(.ready)
    await test.supervisor.shutdown()
  }
}

/// A yes or no that a test changes.
private final class Flag: Sendable {
  private let state: Mutex<Bool>

  init(_ value: Bool) { state = Mutex(value) }

  var value: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
