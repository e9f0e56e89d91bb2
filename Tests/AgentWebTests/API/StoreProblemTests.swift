import AgentStore
import HTTPTypes
import Testing

@testable import AgentWeb

@Suite struct StoreProblemTests {
  @Test(arguments: [StoreError.Code.full, .fault, .group, .corrupt, .closed])
  func `a request that can't be stored now may be repeated`(_ code: StoreError.Code) {
    let problem = APIProblem(thrown: StoreError(code, "There is no room left."))
    #expect(problem.status == .serviceUnavailable && problem.code == "not_ready")
    #expect(problem.message.contains("There is no room left."))
  }
}
