import AgentSupervision
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SupervisorTests {
  @Test func `a child starts, runs and stops on request`() async throws {
    let test = try TestSupervisor()
    let status = try await test.run(.shell("a"))
    #expect(status.state == .running(started: true))
    #expect(status.pid.map(isAlive) == true)
    #expect((status.startedAt ?? 0) > 1_600_000_000_000)
    let stopped = try await test.supervisor.stop("a")
    #expect(stopped.state == .stopped)
    #expect(stopped.pid == nil)
    #expect(stopped.lastExit == .exited(code: 0))
  }

  @Test func `many children start, up to the first that can't`() async throws {
    let test = try TestSupervisor()
    for name in ["a", "b", "c"] { try await test.add(.shell(name)) }
    try await test.supervisor.start([])
    let error = await #expect(throws: SupervisionError.self) {
      try await test.supervisor.start(["a", "b", "nobody", "c"])
    }
    #expect(error?.code == .unknownChild)
    for name in ["a", "b"] {
      #expect(try await test.supervisor.settled(name).state == .running(started: true))
    }
    #expect(try await test.supervisor.status("c").state == .stopped)
    await test.supervisor.shutdown()
  }

  @Test(arguments: [
    ("/nowhere/program", "no such file"),
    ("/etc/passwd", "chmod +x"),
    ("no-such-program-anywhere", "no such program"),
  ])
  func `a command that can't be executed fails with a sentence`(
    executable: String, sentence: String
  ) async throws {
    let test = try TestSupervisor()
    let spec = ChildSpec(name: "a", command: ChildCommand(executable: executable))
    guard case .failed(let reason) = try await test.run(spec).state else {
      Issue.record("not failed")
      return
    }
    #expect(reason.contains(executable))
    #expect(reason.contains(sentence))
  }

  @Test func `a missing working directory and too high a limit are named`() async throws {
    let test = try TestSupervisor()
    var spec = ChildSpec.shell("a")
    spec.command.workingDirectory = "/nowhere"
    #expect(try await test.run(spec).reason?.contains("/nowhere: can't be the working dir") == true)
    var greedy = ChildSpec.shell("b")
    greedy.limits.files = 1 << 40
    #expect(try await test.run(greedy).reason?.contains("limits.files") == true)
  }

  @Test func `a killed child is replaced`() async throws {
    let test = try TestSupervisor()
    let first = try await test.run(.shell("a"))
    let pid = try #require(first.pid)
    kill(pid, SIGKILL)
    await test.events.next(.exited(.signalled(signal: SIGKILL, core: false), reason: nil))
    let second = try await test.supervisor.settled("a")
    #expect(second.state == .running(started: true))
    #expect(second.pid != pid)
    #expect(second.restarts == 1)
    await test.supervisor.shutdown()
  }

  @Test func `a child sees its own descriptors, limits and environment only`() async throws {
    let test = try TestSupervisor()
    // What some library has opened without close-on-exec, before and behind the child's own.
    let small = open("/dev/null", O_RDONLY)
    let great = fcntl(small, F_DUPFD, 900)
    #expect(small >= 0 && great >= 900)
    defer { [small, great].forEach { close($0) } }
    let script = "echo fds $(ls /proc/$$/fd); ulimit -n; ulimit -c; env | sort | tr '\\n' ' '; echo"
    var spec = ChildSpec.shell("a", before: script, environment: ["COLOUR=blue"])
    spec.limits.files = 77
    spec.command.workingDirectory = "/"
    _ = try await test.run(spec)
    var lines: [String] = []
    for _ in 0..<4 { lines.append(await test.events.next { $0.line }) }
    // The shell itself opens a pipe to read what `ls` prints.
    #expect(lines[0].hasPrefix("fds 0 1 2 3 4"))
    #expect(lines[0].split(separator: " ").count <= 8)
    #expect(lines[1...2] == ["77", "0"])
    #expect(lines[3].contains("COLOUR=blue PATH=/usr/bin:/bin PWD=/"))
    #expect(!lines[3].contains("HOME="))
    await test.supervisor.shutdown()
  }

  @Test func `a child that ignores STOP and SIGTERM is killed`() async throws {
    let test = try TestSupervisor()
    let deaf = "trap '' TERM; echo ready >&3; while read -r w <&3; do echo started >&3; done"
    let quick = ChildTimeouts(
      stop: .milliseconds(30), terminate: .milliseconds(30), pingInterval: nil)
    _ = try await test.run(.shell("a", script: deaf, timeouts: quick))
    let status = try await test.supervisor.stop("a")
    #expect(status.state == .stopped)
    #expect(status.lastExit == .signalled(signal: SIGKILL, core: false))
  }

  @Test func `a child that doesn't answer is killed and replaced`() async throws {
    let test = try TestSupervisor()
    let mute = "echo ready >&3; read -r w <&3; echo started >&3; sleep 1000"
    let quick = ChildTimeouts(
      stop: .zero, pingInterval: .milliseconds(10), pingAnswer: .milliseconds(40))
    _ = try await test.run(.shell("a", script: mute, timeouts: quick))
    let reason = await test.events.next { event -> String? in
      if case .exited(_, let reason) = event.kind { reason } else { nil }
    }
    #expect(reason.hasPrefix("didn't answer for"))
    await test.supervisor.shutdown()
  }

  @Test func `garbage and a closed socket end the child with that reason`() async throws {
    let test = try TestSupervisor()
    let once = RestartPolicy(mode: .temporary)
    let quick = ChildTimeouts(pingInterval: nil, hangUp: .milliseconds(20))
    let garbage = try await test.run(
      .shell("a", script: "echo nonsense >&3; sleep 1000", restart: once))
    #expect(garbage.state == .finished(succeeded: false))
    #expect(garbage.reason == "said nonsense")
    let closed = try await test.run(
      .shell("b", script: "exec 3>&-; sleep 1000", restart: once, timeouts: quick))
    #expect(closed.reason == "closed its socket and went on running")
    await test.supervisor.shutdown()
  }

  @Test func `memory above the limit is named with both numbers`() async throws {
    let test = try TestSupervisor(.init(sampleInterval: .milliseconds(20)))
    let small = ChildLimits(memory: 20 << 20)
    let few = ChildLimits(processes: 3)
    let hungry = "x=$(head -c 40000000 /dev/zero | tr '\\0' a); sleep 1000"
    let once = RestartPolicy(mode: .temporary)
    let status = try await test.run(
      .shell("a", script: hungry, restart: once, limits: small))
    let reason = try #require(status.reason)
    #expect(reason.hasPrefix("used "))
    #expect(reason.hasSuffix(" of memory; limits.memory allows 20 MB"))
    let many = "for i in 1 2 3 4 5; do sleep 1000 & done; sleep 1000"
    let bomb = try await test.run(.shell("b", script: many, restart: once, limits: few))
    #expect(bomb.reason?.hasPrefix("had ") == true)
    #expect(bomb.reason?.hasSuffix(" processes; limits.processes allows 3") == true)
    await test.supervisor.shutdown()
  }

  @Test func `processor time above the limit is named with its window`() async throws {
    let test = try TestSupervisor(.init(sampleInterval: .milliseconds(20)))
    let limits = ChildLimits(cpu: 0.05, cpuWindow: .milliseconds(200))
    let status = try await test.run(
      .shell(
        "a", script: "while :; do :; done", restart: .init(mode: .temporary), limits: limits))
    #expect(status.reason?.hasSuffix("of a core over 200 ms; limits.cpu allows 5 %") == true)
  }

  @Test func `a warm spare replaces a killed child`() async throws {
    let test = try TestSupervisor()
    let first = try await test.run(.shell("a", spareKey: "shell"))
    let spare = await test.events.next(\.sparePID)
    // Its age as a spare isn't the child's.
    let seen = milliseconds()
    try await wait(while: milliseconds() < seen + 3)
    let killed = milliseconds()
    kill(try #require(first.pid), SIGKILL)
    let pid = await test.events.next { event -> Int32? in
      if case .spawned(let pid, spare: true) = event.kind { pid } else { nil }
    }
    #expect(pid == spare)
    let second = try await test.supervisor.settled("a")
    #expect(second.pid == spare)
    #expect((second.startedAt ?? 0) >= killed)
    await test.supervisor.shutdown()
    #expect(!isAlive(spare))
  }

  @Test func `a spare that died is noticed and not used`() async throws {
    let test = try TestSupervisor()
    _ = try await test.run(.shell("a", spareKey: "shell"))
    let spare = await test.events.next(\.sparePID)
    kill(spare, SIGKILL)
    await test.events.next(
      .problem(message: "A spare of shell was ended by SIGKILL while it waited."))
    try await test.supervisor.restart("a")
    let second = try await test.supervisor.settled("a")
    #expect(second.state == .running(started: true))
    #expect(second.pid != spare)
    await test.supervisor.shutdown()
  }

  @Test func `shutdown ends all children at once and refuses new ones`() async throws {
    let test = try TestSupervisor()
    var pids: [Int32?] = []
    for name in ["a", "b", "c"] { pids.append(try await test.run(.shell(name)).pid) }
    await test.supervisor.shutdown()
    #expect(pids.compactMap { $0 }.filter(isAlive).isEmpty)
    await #expect(throws: SupervisionError.self) { try await test.supervisor.start("a") }
  }

  @Test func `unknown and duplicate names are refused`() async throws {
    let test = try TestSupervisor()
    try await test.add(.shell("a"))
    await #expect(throws: SupervisionError.self) { try await test.add(.shell("a")) }
    await #expect(throws: SupervisionError.self) { try await test.supervisor.stop("b") }
    try await test.supervisor.remove("a")
    #expect(await test.supervisor.status().isEmpty)
  }

  private func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
