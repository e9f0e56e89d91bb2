import AgentAccess
import AgentWorkers
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import AgentWeb

@Suite struct LastEventIDTests {
  private func call(_ header: String?, query: String) -> APICall {
    var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/s")
    if let header { head.headerFields[.lastEventID] = header }
    return APICall(
      request: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
      principal: Principal(kind: .program, name: "page", scopes: [Scope]()), address: "unix",
      id: "1", client: nil, tokenEnd: nil, account: nil, values: [:],
      query: QueryString(Substring(query)),
      bytes: [], document: nil)
  }

  @Test func `a stream that is resumed begins after Last-Event-ID`() throws {
    #expect(try call("5", query: "after=0").lastPosition(as: UInt64.self) == 5)
    #expect(try call("5", query: "").lastPosition(as: Int64.self) == 5)
    #expect(call("5", query: "window_ms=60000").lastEventID == "5")
  }

  @Test func `without Last-Event-ID a stream begins at after`() throws {
    #expect(try call(nil, query: "after=3").lastPosition(as: UInt64.self) == 3)
    #expect(try call("", query: "after=3").lastPosition(as: Int64.self) == 3)
    #expect(try call(nil, query: "").lastPosition(as: Int64.self) == nil)
  }

  @Test(arguments: ["-1", "x", "1.5", "9223372036854775808"])
  func `a Last-Event-ID that isn't a position is refused`(_ header: String) {
    #expect(throws: HostError.self) {
      try call(header, query: "after=0").lastPosition(as: Int64.self)
    }
  }
}
