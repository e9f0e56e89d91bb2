import AgentSupervision
import Glibc
import Synchronization
import Testing

/// Processes that start the moment another has ended, before its end is handled.
@Suite(.timeLimit(.minutes(5))) struct SuccessorTests {
  @Test(arguments: [
    (nil, "there is no such file"), ("#!/nowhere/interpreter\n", "the interpreter that it names"),
  ])
  func `a program that can't be loaded any more fails with a sentence`(
    script: String?, sentence: String
  ) async throws {
    let folder = try TemporaryFolder()
    let program = folder.path + "/program"
    try #require(symlink("/bin/sh", program) == 0)
    let test = try TestSupervisor()
    var spec = ChildSpec.shell("a")
    spec.command.executable = program
    let pid = try #require(try await test.run(spec).pid)
    unlink(program)
    if let script {
      let file = open(program, O_WRONLY | O_CREAT | O_CLOEXEC, 0o700)
      #expect(write(file, script, script.utf8.count) == script.utf8.count)
      close(file)
    }
    kill(pid, SIGKILL)
    await test.events.next(.exited(.signalled(signal: SIGKILL, core: false), reason: nil))
    guard case .failed(let reason) = try await test.supervisor.settled("a").state else {
      Issue.record("not failed")
      return
    }
    #expect(reason.contains(program) && reason.contains(sentence), "\(reason)")
    await test.supervisor.shutdown()
  }

  @Test func `a process's last words decide what follows`() async throws {
    let test = try TestSupervisor()
    let script = "echo ready >&3; read -r w <&3; echo started >&3; echo ended >&3; exit 1"
    let spec = ChildSpec.shell("a", script: script, restart: .init(mode: .transient))
    try await test.add(spec)
    try await test.supervisor.start("a")
    let ended = await test.events.next { event -> Bool? in
      if case .finished(let succeeded) = event.kind { succeeded } else { nil }
    }
    #expect(ended)
    let status = try await test.supervisor.status("a")
    #expect(status.state == .finished(succeeded: true))
    #expect(status.restarts == 0 && status.pid == nil)
    await test.supervisor.shutdown()
  }

  @Test func `a successor starts when nothing is left of what the last one sent`() async throws {
    let parts = Atomic(0)
    let test = try TestSupervisor()
    let pid = try await test.run(.shell("a")) {
      parts.wrappingAdd(1, ordering: .relaxed).newValue.isMultiple(of: 4)
    }
    kill(pid, SIGKILL)
    await test.events.next(.exited(.signalled(signal: SIGKILL, core: false), reason: nil))
    #expect(parts.load(ordering: .relaxed) == 4)
    #expect(try await test.supervisor.settled("a").restarts == 1)
    await test.supervisor.shutdown()
    #expect(parts.load(ordering: .relaxed) == 8)
  }

  @Test func `what a process left is read for a limited time`() async throws {
    let test = try TestSupervisor(.init(drainLimit: .milliseconds(50)))
    let pid = try await test.run(.shell("a")) { false }
    kill(pid, SIGKILL)
    await test.events.next(.exited(.signalled(signal: SIGKILL, core: false), reason: nil))
    await test.supervisor.shutdown()
    #expect(try await test.supervisor.status("a").state == .stopped)
  }
}
