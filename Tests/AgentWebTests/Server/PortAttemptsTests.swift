import Testing

@testable import AgentWeb

@Suite struct PortAttemptsTests {
  @Test func `after the last port the first one is tried again`() {
    var attempts = PortAttempts(from: 8700, further: 2, quickTries: 0)
    var ports: [Int] = []
    for _ in 0..<5 {
      ports.append(attempts.port)
      _ = attempts.failed(isTaken: true)
    }
    #expect(ports == [8700, 8701, 8702, 8700, 8701])
  }

  @Test func `a taken port is tried again quickly before the next one`() {
    var attempts = PortAttempts(from: 1, further: 1, quickTries: 2)
    let steps = (0..<5).map { _ in attempts.failed(isTaken: true) }
    #expect(steps == [.soon, .soon, .next, .later, .next])
  }

  @Test func `a port that can't be opened for another reason isn't followed by the next one`() {
    var attempts = PortAttempts(from: 1, further: 9, quickTries: 9)
    #expect(attempts.failed(isTaken: false) == .later)
    #expect(attempts.port == 1)
  }
}
