import AgentDiagnostics
import Glibc
import TestSupport
import Testing

@Suite struct HostLockTests {
  @Test func `a second host is told who runs the agent`() throws {
    let folder = try TestFolder()
    let path = "\(folder.path)/lock"
    try withExtendedLifetime(HostLock(path: path)) {
      #expect(HostLock.holder(path: path) == getpid())
      let refusal = #expect(throws: HostLock.Refusal.self) { try HostLock(path: path) }
      #expect(refusal?.holder == getpid())
      #expect(refusal?.message.contains("pid \(getpid())") == true)
    }
  }

  @Test func `the lock ends with its owner though the file stays`() throws {
    let folder = try TestFolder()
    let path = "\(folder.path)/lock"
    _ = try HostLock(path: path)
    #expect(folder.contains("lock"))
    #expect(HostLock.holder(path: path) == nil)
    #expect(throws: Never.self) { try HostLock(path: path) }
  }

  @Test func `a lock that a killed host's child inherited is waited for`() throws {
    let folder = try TestFolder()
    let path = "\(folder.path)/lock"
    let inherited = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    // No process has this pid.
    #expect(write(inherited, "2147483647\n", 11) == 11)
    #expect(flock(inherited, LOCK_EX) == 0)
    let refusal = #expect(throws: HostLock.Refusal.self) { try HostLock(path: path) { $0 < 3 } }
    #expect(refusal?.holder == .max)
    let lock = try HostLock(path: path) { tries in
      if tries == 2 { close(inherited) }
      return true
    }
    withExtendedLifetime(lock) { #expect(HostLock.holder(path: path) == getpid()) }
  }

  @Test func `a folder that can't be written is named`() {
    let refusal = #expect(throws: HostLock.Refusal.self) { try HostLock(path: "/no/such/lock") }
    #expect(refusal?.message.contains("/no/such/lock") == true)
  }
}
