import Glibc
import TestSupport
import Testing

@testable import AgentSupervision

@Suite(.timeLimit(.minutes(5))) struct HostMarkTests {
  @Test func `a mark is read from the text of the kernel`() {
    let mark = HostMark(entry: "AGENT_WORKER_OF=/a")
    let text = """
      Limit                     Soft Limit           Hard Limit           Units
      Max open files            1024                 4096                 files
      Max file locks            7                    \(mark.limit)  locks
      """
    #expect(HostMark.limit(in: text) == mark.limit)
    #expect(HostMark.limit(in: "Max file locks unlimited unlimited locks") == nil)
    #expect(HostMark.limit(in: "") == nil)
    #expect(mark.limit >= 1 << 61 && mark.limit < 1 << 62)
    #expect(mark.limit != HostMark(entry: "AGENT_WORKER_OF=/b").limit)
    #expect(HostMark(in: ["A=b", "AGENT_WORKER_OF=/a"]) == mark)
    #expect(HostMark(in: ["A=b"]) == nil)
  }

  @Test func `a child has the mark of its host as a limit`() async throws {
    let entry = "AGENT_WORKER_OF=/some/agent"
    let mark = HostMark(entry: entry)
    let test = try TestSupervisor()
    let marked = try #require(try await test.run(.shell("a", environment: [entry])).pid)
    let other = try #require(try await test.run(.shell("b")).pid)
    // The limit holds also for a child that leaves its environment behind.
    #expect(HostMark.limit(in: SmallFile.text("/proc/\(marked)/limits")) == mark.limit)
    #expect(mark.marks(marked) && !mark.marks(other) && !HostMark(entry: "").marks(marked))
    await test.supervisor.shutdown()
  }

  @Test func `the wait for several ends has one deadline`() {
    var now = ContinuousClock.now
    var waits: [Int32] = []
    LeftoverWorkers.waitForEnds(of: [1, 2, 3, 4], until: now + .seconds(2), now: { now }) {
      waits.append($1)
      now += .milliseconds(900)
    }
    #expect(waits == [2000, 1100, 200, 0])
  }
}
