import Glibc
import Testing

// Whether a process is a zombie, only the inside reads.
@testable import AgentSupervision

@Suite(.timeLimit(.minutes(5))) struct ProgramLimitsTests {
  private func run(_ script: String, _ limits: ProgramLimits) async throws -> ProgramRun.Outcome {
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    let command = ChildCommand(
      executable: "/bin/sh", arguments: ["-c", script], environment: ["PATH=/usr/bin:/bin"])
    return try await ProgramRun(command, input: input, maxOutput: 1000, limits: limits).run()
  }

  @Test func `a program that takes too long is killed with its children`() async throws {
    let outcome = try await run(
      "sleep 1000 & echo $!; wait", ProgramLimits(time: .milliseconds(200)))
    #expect(outcome.wasStopped)
    #expect(outcome.exit == .signalled(signal: SIGKILL, core: false))
    let child = Int32(String(decoding: outcome.output.dropLast(), as: UTF8.self))
    // A zombie is left where nobody waits for it.
    #expect(ProcessStat.read(try #require(child))?.isZombie != false)
  }

  @Test func `a program that writes more than its limit is killed`() async throws {
    let endless = try await run("yes", ProgramLimits(time: .seconds(20), output: 100_000))
    #expect(endless.wasStopped)
    #expect(endless.exit == .signalled(signal: SIGKILL, core: false))
    // Also one that has ended by then.
    #expect(try await run("echo 12345", ProgramLimits(output: 5)).wasStopped)
    #expect(try await !run("echo 12345", ProgramLimits(output: 6)).wasStopped)
  }

  @Test func `a program that ends in time has its own status`() async throws {
    let outcome = try await run("echo done; exit 3", ProgramLimits(time: .seconds(60)))
    #expect(outcome.exit == .exited(code: 3) && !outcome.wasStopped)
    #expect(outcome.output == Array("done\n".utf8))
  }

  @Test func `the kernel refuses more memory than the limit`() async throws {
    let outcome = try await run("ulimit -d", ProgramLimits(memory: 64 << 20))
    #expect(String(decoding: outcome.output, as: UTF8.self) == "65536\n")
  }
}
