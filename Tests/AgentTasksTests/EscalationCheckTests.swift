import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

@Suite struct EscalationCheckTests {
  static let wrong: [(JSONValue, String)] = [
    (["when": "never", "after_ms": 1, "to": ["priority": 1]], "escalation[0].when"),
    (["when": "overdue"], "escalation[0].after_ms is missing"),
    (["after_ms": -1, "to": ["priority": 1]], "escalation[0].after_ms is a whole number"),
    (["after_ms": 1], "escalation[0].to is missing"),
    (["after_ms": 1, "to": ["bogus": 1]], "escalation[0].to has no key \"bogus\""),
    (["after_ms": 1, "to": ["usr": "a"]], "Did you mean \"user\"?"),
    (["after": 1, "to": ["priority": 1]], "has no key \"after\""),
    (["after_ms": 1, "to": ["priority": 1, "bot": "a"]], "names one of"),
    (["after_ms": 1, "to": ["bot": "a\u{1F}b"]], "control character U+001F"),
    (["after_ms": 1, "to": ["priority": 0]], "escalation[0].to.priority"),
    (["after_ms": 1, "to": ["priority": 1], "every_ms": 1], "escalation[0].every_ms"),
    (["after_ms": 1, "to": ["priority": 1], "times": 0], "escalation[0].times"),
    (1, "escalation[0] isn't an object"),
  ]

  @Test(arguments: wrong)
  func `a mistake in an escalation is refused with its place`(_ step: JSONValue, _ words: String)
    async throws
  {
    let test = try await EngineUnderTest.started()
    await #expect {
      _ = try await test.create { $0.definition.escalation = [step] }
    } throws: {
      ($0 as? TaskError)?.code == .invalid && "\($0)".contains(words)
    }
    await test.remove()
  }
}
