internal import AgentJSON
internal import ArgumentParser

/// Serves the protocol of Bowtie, which compares implementations of JSON Schema.
struct SchemaBowtie: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bowtie", abstract: "Answer Bowtie's requests on standard input.",
    discussion: """
      Bowtie (https://bowtie.report) runs JSON Schema's official tests against every \
      implementation of its protocol. Exit codes: 0 after "stop" or the end of the input, \
      1 after an invalid request.

      Example: agent schema bowtie
      """)

  func run() throws {
    var harness = BowtieHarness()
    var pending: [UInt8] = []
    while let bytes = StandardInput.next() {
      pending += bytes
      while let end = pending.firstIndex(of: 0x0A) {
        let line = Array(pending[..<end])
        pending.removeSubrange(...end)
        guard try answer(line, &harness) else { return }
      }
    }
    _ = try answer(pending, &harness)
  }

  /// Answers a line. Returns whether another one follows.
  private func answer(_ line: [UInt8], _ harness: inout BowtieHarness) throws -> Bool {
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { return true }
    switch harness.answer(line) {
    case .reply(let value): Terminal.json(value)
    case .stop: return false
    case .refuse(let message): throw Failure(message)
    }
    return true
  }
}
