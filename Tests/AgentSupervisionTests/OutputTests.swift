import AgentSupervision
import Testing

@Suite(.timeLimit(.minutes(1))) struct OutputTests {
  @Test func `lines of both streams arrive, cut and repaired where needed`() async throws {
    let test = try TestSupervisor(.init(output: .init(lineBytes: 10)))
    let script = "echo out; echo err >&2; echo 0123456789abc; printf '\\377x\\n'; printf end"
    try await test.add(.shell("a", script: script, restart: .init(mode: .temporary)))
    try await test.supervisor.start("a")
    var lines: [String] = []
    for _ in 0..<5 { lines.append(await test.events.next { $0.line }) }
    #expect(lines == ["out", "err", "0123456789 … (cut)", "\u{FFFD}x", "end"])
  }

  @Test func `a flood is counted and dropped`() async throws {
    let test = try TestSupervisor(.init(output: .init(burst: 10, linesPerSecond: 1)))
    let script = "for i in $(seq 1000); do echo $i; done"
    try await test.add(.shell("a", script: script, restart: .init(mode: .temporary)))
    try await test.supervisor.start("a")
    let status = try await test.supervisor.settled("a")
    #expect(status.state == .finished(succeeded: true))
    let lines = test.events.all.compactMap(\.line).count
    let dropped = test.events.all.reduce(0) { sum, event in
      if case .outputDropped(let lines) = event.kind { sum + lines } else { sum }
    }
    #expect(lines >= 10 && lines < 20)
    #expect(lines + dropped == 1000)
  }
}
