import Testing

@testable import AgentSupervision

@Suite(.timeLimit(.minutes(5))) struct OutputTests {
  @Test func `lines of both streams arrive, cut and repaired if needed`() async throws {
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

  @Test func `output without line ends is rate limited like lines`() {
    var lines = OutputLines(limits: OutputLimits())
    let start = LoopInstant(nanoseconds: 0)
    let chunk = [UInt8](repeating: 0x78, count: 16 << 10)
    func append(at now: LoopInstant) { chunk.withUnsafeBytes { _ = lines.append($0, at: now) } }
    var taken = 0
    while !lines.isFlooded, taken < 100 << 20 {
      append(at: start)
      taken += chunk.count
    }
    // As much as 500 lines of 8 KiB, and then as much as 100 a second.
    #expect(taken <= 5 << 20)
    append(at: start + .milliseconds(50))
    append(at: start + .milliseconds(50))
    append(at: start + .milliseconds(50))
    #expect(lines.isFlooded)
  }
}
