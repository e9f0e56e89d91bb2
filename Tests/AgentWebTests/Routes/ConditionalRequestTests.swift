import AgentWorkers
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import AgentWeb

/// The version that a change of the state requires.
@Suite struct ConditionalRequestTests {
  private func expected(_ fields: HTTPFields) throws -> Int64? {
    let head = HTTPRequest(
      method: .put, scheme: "http", authority: "localhost", path: "/api/v1/state/a/b",
      headerFields: fields)
    return try StateRoutes.expected(
      Request(head: head, body: RequestBody(buffer: ByteBuffer())))
  }

  @Test func `If-Match has the version of the key, as an ETag or a number`() throws {
    #expect(try expected([:]) == nil)
    #expect(try expected([.ifMatch: "\"3\""]) == 3)
    #expect(try expected([.ifMatch: "3"]) == 3)
    #expect(try expected([.ifMatch: "\"9223372036854775807\""]) == .max)
  }

  @Test(arguments: [
    "", "*", "\"", "\"\"", "\"x\"", "W/\"3\"", "\"-1\"", "\"1\", \"2\"", "\"9223372036854775808\"",
  ])
  func `an If-Match that is no version is refused`(_ header: String) {
    let error = #expect(throws: HostError.self) { try expected([.ifMatch: header]) }
    #expect(error?.code == .invalid && error?.message.contains("found \(header).") == true)
  }

  @Test func `If-None-Match permits a new key only`() throws {
    #expect(try expected([.ifNoneMatch: "*"]) == 0)
    #expect(throws: HostError.self) { try expected([.ifNoneMatch: "\"3\""]) }
    // A field that would permit a change doesn't lift the other one.
    #expect(try expected([.ifNoneMatch: "*", .ifMatch: "\"3\""]) == 0)
  }
}
