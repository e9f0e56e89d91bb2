import AgentJSON
import Testing

@testable import AgentWorkers

/// The checks of inputs.
@Suite struct InputCheckTests {
  @Test func `a schema that can't be used admits nothing and reports it`() throws {
    let check = try #require(InputCheck(["$ref": "#/nowhere"], for: "report"))
    for input in [[:], .null, ["a": 1]] as [JSONValue] {
      #expect(check.problems(with: input).first?.contains("report's input can't be used") == true)
    }
    #expect(InputCheck(nil, for: "report").map { _ in true } == nil)
  }

  @Test func `a schema may refer to the host's schemas`() throws {
    let check = try #require(InputCheck(["$ref": "agent:output"], for: "report"))
    #expect(!check.problems(with: 5).isEmpty)
  }
}
