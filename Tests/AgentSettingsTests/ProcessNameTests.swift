import AgentSettings
import Testing

@Suite struct ProcessNameTests {
  @Test(arguments: ["a", "Z9", "trade_frequency.eu-1", String(repeating: "n", count: 64)])
  func `a letter and what may follow it is a name`(_ name: String) {
    #expect(ProcessName.isValid(name))
  }

  @Test(arguments: [
    "", "1a", "_a", "a b", "a/b", "é", "aé", "a\u{0}", String(repeating: "n", count: 65),
  ])
  func `anything else is no name`(_ name: String) {
    #expect(!ProcessName.isValid(name))
  }

  @Test func `an instance of a pool may have a longer name`() {
    let name = String(repeating: "n", count: ProcessName.maxInstanceLength)
    #expect(ProcessName.isValid(name, maxLength: ProcessName.maxInstanceLength))
    #expect(!ProcessName.isValid(name + "n", maxLength: ProcessName.maxInstanceLength))
  }
}
