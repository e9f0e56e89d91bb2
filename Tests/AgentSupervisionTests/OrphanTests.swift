import Glibc
import Testing

// A process's parent is visible inside of the target only.
@testable import AgentSupervision

@Suite(.timeLimit(.minutes(5))) struct OrphanTests {
  /// In a process of its own: who kills orphans takes whatever other tests start for one.
  @Test func `the group and its escaped processes die with the child`() async {
    await #expect(processExitsWith: .success) {
      let test = try TestSupervisor(killsOrphans: true)
      let family = """
        sleep 1000 & echo $!
        setsid sh -c 'echo $$; exec sleep 1000' &
        """
      let status = try await test.run(.shell("a", before: family))
      let first = Int32(await test.events.next { $0.line }) ?? 0
      let second = Int32(await test.events.next { $0.line }) ?? 0
      #expect(isAlive(first) && isAlive(second))
      kill(try #require(status.pid), SIGKILL)
      try await ended(first)
      try await ended(second)
      await test.supervisor.shutdown()
    }
  }

  @Test func `orphans that are left alone are neither adopted nor killed`() async throws {
    let test = try TestSupervisor(.init(sweepInterval: .milliseconds(1)))
    let script = "setsid sh -c 'echo $$; exec sleep 1000' &"
    let child = try await test.run(
      .shell("a", before: script, restart: .init(mode: .temporary)))
    let orphan = try #require(Int32(await test.events.next { $0.line }))
    defer { kill(orphan, SIGKILL) }
    kill(try #require(child.pid), SIGKILL)
    await test.events.next(.exited(.signalled(signal: SIGKILL, core: false), reason: nil))
    _ = try await test.supervisor.settled("a")
    await test.supervisor.shutdown()
    #expect(isAlive(orphan))
    #expect(ProcessStat.read(orphan)?.parent != getpid())
  }
}
