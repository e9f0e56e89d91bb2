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

  /// A child of this process that no supervisor knows.
  private func stranger() throws -> ProcessStat {
    var pid: pid_t = 0
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
    defer { for word in words { free(word) } }
    let outcome = posix_spawnp(&pid, "sleep", nil, nil, &words, environ)
    try #require(outcome == 0)
    return try #require(ProcessStat.read(pid))
  }

  @Test func `a sweep leaves a process alone that has got the pid of one it has seen`() throws {
    let (orphan, other, child) = (try stranger(), try stranger(), try stranger())
    defer {
      for process in [orphan, other, child] {
        kill(process.pid, SIGKILL)
        waitpid(process.pid, nil, 0)
      }
    }
    // What the scan has seen: another process with the pid of `other`, and one with the pid of
    // `child` below the orphan.
    var (former, descendant) = (other, child)
    former.start -= 1
    (descendant.start, descendant.parent) = (child.start - 1, orphan.pid)
    let table = ProcessTable([orphan, former, descendant])
    let outcome = OrphanSweeper(known: KnownChildren()).sweep { table }
    #expect(outcome == .init(found: 1, killed: 1))
    #expect(ProcessStat.read(other.pid)?.isZombie == false)
    #expect(ProcessStat.read(child.pid)?.isZombie == false)
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
