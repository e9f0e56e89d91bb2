import AgentAccess
import AgentJSON
import AgentSettings
import AgentWorkers
import HTTPTypes
import Hummingbird
import Testing

@testable import AgentWeb

/// The answer to a request that was refused or failed.
@Suite struct APIProblemTests {
  private func json(_ problem: APIProblem) async throws -> JSONValue {
    let bytes = try await BodyCollector.bytes(of: problem.response(id: "r-1").body)
    return try JSONDocument(parsing: bytes ?? []).root.value
  }

  @Test func `an error is problem details`() async throws {
    var problem = APIProblem(.notFound, code: "not_found", message: "There is no such thing.")
    problem.extra["near"] = "log"
    problem.headers[.allow] = "GET"
    let response = problem.response(id: "r-1")
    #expect(response.status == .notFound)
    #expect(response.headers[.contentType] == "application/problem+json")
    #expect(response.headers[.allow] == "GET")
    let expected: JSONValue = [
      "type": "about:blank", "title": "Not Found", "status": 404,
      "detail": "There is no such thing.", "code": "not_found", "request_id": "r-1", "near": "log",
    ]
    #expect(try await json(problem) == expected)
  }

  @Test(arguments: [
    (HostError.Code.notFound, 404), (.conflict, 409), (.preconditionFailed, 412), (.invalid, 400),
    (.forbidden, 403), (.invalidSettings, 422), (.failed, 500), (.deadlineExceeded, 504),
    (.badGateway, 502), (.notReady, 503), (.stopping, 503),
  ])
  func `each kind of error has its status`(_ code: HostError.Code, status: Int) {
    let problem = APIProblem(
      thrown: HostError(code, "No.", problems: [["pointer": "/count"]]))
    #expect(problem.status.code == status && problem.code == code.rawValue)
    #expect(problem.message == "No." && problem.problems == [["pointer": "/count"]])
  }

  @Test func `a host that can't know a token yet says that it isn't ready`() {
    let access = AccessControl(now: { 0 }) { Issue.record("\($0)") }
    let error = #expect(throws: AccessError.self) { try access.principal(bearer: "x") }
    let problem = error.map { APIProblem(thrown: $0) }
    #expect(problem?.status == .serviceUnavailable && problem?.code == "not_ready")
  }

  @Test func `work that was cancelled says that the host stops`() {
    let problem = APIProblem(thrown: CancellationError())
    #expect(problem.status == .serviceUnavailable && problem.code == "stopping")
  }

  @Test func `an error that nobody expected is a failure`() {
    struct Odd: Error, CustomStringConvertible {
      let description = "It is odd."
    }
    let problem = APIProblem(thrown: Odd())
    #expect(problem.status == .internalServerError && problem.code == "failed")
    #expect(problem.message == "It is odd.")
  }

  @Test func `a long message is cut between characters`() async throws {
    // The last byte that fits is the first of a character of two.
    let problem = APIProblem(
      .badRequest, code: "invalid", message: String(repeating: "é", count: 5_000))
    let detail = try #require(try await json(problem)["detail"]?.string)
    #expect((3_900...4_000).contains(detail.utf8.count))
    #expect(detail.hasPrefix("éé") && !detail.contains("\u{fffd}"))
  }

  @Test func `a secret is replaced wherever an answer could show it`() async throws {
    var problem = APIProblem(.badRequest, code: "invalid", message: "found \"hunter22\".")
    problem.problems = [["found": "hunter22", "hunter22": 1]]
    problem.extra["changes"] = ["hunter22"]
    let answer = try await json(problem.redacted(by: Redactor(["hunter22"]))).text()
    #expect(!answer.contains("hunter22"))
    #expect(answer.split(separator: Redactor.replacement).count == 5)
  }
}
