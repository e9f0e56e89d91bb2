import AgentSupervision
import Glibc
import TestSupport
import Testing

/// Programs that take long to be loaded, as on a file system that doesn't answer.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SlowProgramTests {
  private static let script = "echo ready >&3; \(ChildSpec.answers)"
  private static let soon = HeldProgram.soon

  /// Shows that the supervision works: a child is restarted after its end.
  private func isRestarted(_ name: String, by test: TestSupervisor) async throws {
    let begun = ContinuousClock.now
    let pid = try #require(try await test.supervisor.status(name).pid)
    kill(pid, SIGKILL)
    let _: Bool = await test.events.next { event in
      if event.name == name, case .exited = event.kind { true } else { nil }
    }
    let status = try await test.supervisor.settled(name)
    #expect(status.state == .running(started: true) && status.pid != pid)
    let taken = begun.duration(to: .now)
    #expect(taken < Self.soon, "it took \(taken)")
  }

  @Test func `a program that takes long to load holds up no other child`() async throws {
    let test = try TestSupervisor()
    let held = try HeldProgram(Self.script)
    _ = try await test.run(.shell("b"))
    try await held.hold()
    try await test.add(held.spec("a"))
    async let started: Void = test.supervisor.start("a")
    try await held.isAwaited()
    try await isRestarted("b", by: test)
    #expect(try await test.supervisor.status("a").state == .starting)
    held.release()
    try await started
    #expect(try await test.supervisor.settled("a").state == .running(started: true))
    await test.supervisor.shutdown()
  }

  @Test func `a program that isn't loaded in time is ended like one that isn't ready`()
    async throws
  {
    let test = try TestSupervisor()
    let held = try HeldProgram(Self.script)
    try await held.hold()
    let quick = ChildTimeouts(ready: .milliseconds(300), pingInterval: nil)
    try await test.add(held.spec("a", restart: .init(mode: .temporary), timeouts: quick))
    let begun = ContinuousClock.now
    try await test.supervisor.start("a")
    let status = try await test.supervisor.settled("a")
    #expect(begun.duration(to: .now) < Self.soon)
    #expect(status.reason?.hasPrefix("wasn't ready after") == true, "\(status)")
    #expect(status.pid == nil)
    await test.supervisor.shutdown()
  }

  /// The folders of PATH may be on a file system that doesn't answer. None can be made here, so this
  /// shows which process looks them up: a folder that isn't absolute is one of its directory.
  @Test func `the process of a child looks for its program, and not the supervision`()
    async throws
  {
    let test = try TestSupervisor()
    let folder = try TemporaryFolder()
    defer {
      unlink(folder.path + "/bin/a-shell")
      rmdir(folder.path + "/bin")
    }
    try #require(mkdir(folder.path + "/bin", 0o700) == 0)
    try #require(symlink("/bin/sh", folder.path + "/bin/a-shell") == 0)
    var spec = ChildSpec.shell("a")
    spec.command.executable = "a-shell"
    spec.command.environment = ["PATH=/nowhere:bin:/usr/bin:/bin"]
    spec.command.workingDirectory = folder.path
    #expect(try await test.run(spec).state == .running(started: true))
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    var command = spec.command
    command.arguments = ["-c", "echo $0"]
    let outcome = try await ProgramRun(command, input: input, maxOutput: 100).run()
    #expect(outcome.exit == .exited(code: 0))
    #expect(String(decoding: outcome.output, as: UTF8.self) == "bin/a-shell\n")
    await test.supervisor.shutdown()
  }

  @Test func `a file of the name that can't be executed isn't the program`() async throws {
    let test = try TestSupervisor()
    let folder = try TemporaryFolder()
    defer { unlink(folder.path + "/sh") }
    close(open(folder.path + "/sh", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    var spec = ChildSpec.shell("a")
    spec.command.executable = "sh"
    spec.command.environment = ["PATH=\(folder.path):/usr/bin:/bin"]
    #expect(try await test.run(spec).state == .running(started: true))
    spec.name = "b"
    spec.command.environment = ["PATH=\(folder.path):/nowhere"]
    #expect(
      try await test.run(spec).reason
        == "sh: no such program in \(folder.path):/nowhere. Install it, or give its whole path.")
    await test.supervisor.shutdown()
  }

  @Test func `a successor that takes long to load holds up no other child`() async throws {
    let test = try TestSupervisor()
    let held = try HeldProgram(Self.script)
    _ = try await test.run(.shell("b"))
    let pid = try #require(try await test.run(held.spec("a")).pid)
    try await held.hold()
    kill(pid, SIGKILL)
    try await held.isAwaited()
    try await isRestarted("b", by: test)
    held.release()
    #expect(try await test.supervisor.settled("a").state == .running(started: true))
    await test.supervisor.shutdown()
  }

  @Test func `a spare that takes long to load holds up no child`() async throws {
    let test = try TestSupervisor()
    let held = try HeldProgram(Self.script)
    _ = try await test.run(.shell("b"))
    _ = try await test.run(held.spec("a", spareKey: "k"))
    let spare = await test.events.next { $0.sparePID }
    try await held.hold()
    kill(spare, SIGKILL)
    try await held.isAwaited()
    try await isRestarted("b", by: test)
    held.release()
    let next = await test.events.next { $0.sparePID }
    #expect(next != spare && isAlive(next))
    await test.supervisor.shutdown()
  }

  @Test func `a shutdown ends what is still being loaded`() async throws {
    let test = try TestSupervisor()
    let held = try HeldProgram(Self.script)
    _ = try await test.run(held.spec("a", spareKey: "k"))
    let spare = await test.events.next { $0.sparePID }
    try await held.hold()
    // One spare and one child.
    kill(spare, SIGKILL)
    try await held.isAwaited()
    try await test.add(held.spec("c"))
    let begun = ContinuousClock.now
    try await test.supervisor.start("c")
    await test.supervisor.shutdown(deadline: .milliseconds(100))
    #expect(begun.duration(to: .now) < Self.soon)
    #expect(try await test.supervisor.status("c").state == .stopped)
  }

  @Test func `a program of a task that isn't loaded in time is ended`() async throws {
    let held = try HeldProgram("exit 0")
    try await held.hold()
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    let begun = ContinuousClock.now
    let outcome = try await ProgramRun(
      ChildCommand(executable: held.path), input: input, maxOutput: 10,
      limits: ProgramLimits(time: .milliseconds(100))
    ).run()
    #expect(begun.duration(to: .now) < Self.soon)
    #expect(outcome.wasStopped && outcome.exit == .signalled(signal: SIGKILL, core: false))
  }
}
