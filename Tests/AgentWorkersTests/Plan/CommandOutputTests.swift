import AgentSupervision
import Glibc
import TestSupport
import Testing

@testable import AgentWorkers

@Suite(.serialized, .timeLimit(.minutes(5))) struct CommandOutputTests {
  @Test func `a program that writes or runs without end is given up`() {
    #expect(CommandOutput.lines(of: ["sh", "-c", "yes"]) == nil)
    #expect(CommandOutput.lines(of: ["sh", "-c", "exec >/dev/null 2>&1; sleep 1000"]) == nil)
  }

  @Test func `only standard output of a program that succeeds counts`() {
    #expect(CommandOutput.lines(of: ["sh", "-c", "echo a; exit 3"]) == nil)
    #expect(CommandOutput.lines(of: ["sh", "-c", "echo a; echo c >&2; echo b"]) == ["a", "b"])
    #expect(CommandOutput.lines(of: ["sh", "-c", "echo ${AGENT_TEST_SECRET:-none}"]) == ["none"])
    #expect(CommandOutput.lines(of: ["/nowhere/sh"]) == nil)
    #expect(CommandOutput.lines(of: ["sh\0x"]) == nil && CommandOutput.lines(of: []) == nil)
  }

  @Test func `a program that isn't loaded in time is given up, and holds up no other child`()
    async throws
  {
    let held = try HeldProgram("echo ready")
    let path = held.path
    #expect(CommandOutput.lines(of: [path]) == ["ready"])
    try await held.hold()
    let begun = ContinuousClock.now
    async let lines = FileDeadline.run(or: "The test fails") { CommandOutput.lines(of: [path]) }
    try await held.isAwaited()
    // The supervision's loop reaps its workers in this way.
    #expect(KnownChildren.ofThisProcess.reaping(0) { true } == true)
    let taken = begun.duration(to: .now)
    #expect(taken < HeldProgram.soon, "it took \(taken)")
    #expect(try await lines == nil)
    #expect(begun.duration(to: .now) < HeldProgram.soon)
  }
}
