import AgentStore
import HTTPTypes
import Testing

@testable import AgentWeb

@Suite struct StoreProblemTests {
  @Test(arguments: [StoreError.Code.full, .fault, .group, .corrupt, .closed])
  func `what can't be stored now may be asked for again`(_ code: StoreError.Code) {
    let problem = APIProblem(thrown: StoreError(code, "There is no room left."))
    #expect(problem.status == .serviceUnavailable && problem.code == "not_ready")
    #expect(problem.message.contains("There is no room left."))
  }
}
