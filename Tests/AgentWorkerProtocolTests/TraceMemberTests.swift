import AgentWorkerProtocol
import Testing

@Suite("Trace member of a call")
struct TraceMemberTests {
  private static let traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
  private let name = ContributionName(.action, "a")

  @Test func `INVOKE and CALL carry the trace`() throws {
    let invoke = Invoke(
      contribution: name, input: [0x31], traceparent: Self.traceparent, tracestate: "v=1")
    #expect(try Invoke(json: invoke.json) == invoke)
    let call = Call(service: "s/1", method: "m", input: [0x31], traceparent: Self.traceparent)
    #expect(try Call(json: call.json) == call)
  }

  @Test func `frames without a trace are unchanged`() throws {
    let invoke = Invoke(contribution: name, input: [0x31], deadline: 5)
    #expect(
      String(decoding: invoke.json, as: UTF8.self)
        == #"{"contribution":"a","kind":"action","input":1,"deadline":5}"#)
    #expect(try Invoke(json: invoke.json) == invoke)
    let call = Call(service: "s/1", method: "m", input: [0x31])
    #expect(
      String(decoding: call.json, as: UTF8.self) == #"{"service":"s/1","method":"m","input":1}"#)
  }
}
