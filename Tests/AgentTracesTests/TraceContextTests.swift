import AgentTraces
import Testing

@Suite("W3C trace context")
struct TraceContextTests {
  static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  static let span = "00f067aa0ba902b7"

  @Test(arguments: [("00", false), ("01", true), ("02", false), ("03", true), ("ff", true)])
  func `only the lowest bit of the flags counts`(flags: String, isSampled: Bool) throws {
    let context = try #require(
      TraceContext(traceparent: "00-\(Self.trace)-\(Self.span)-\(flags)"))
    #expect("\(context.trace)" == Self.trace)
    #expect("\(context.span)" == Self.span)
    #expect(context.isSampled == isSampled)
    #expect(context.traceparent == "00-\(Self.trace)-\(Self.span)-\(isSampled ? "01" : "00")")
  }

  @Test(arguments: [
    "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-", "00-\(trace)-\(span)-1",
    "00-\(trace)-\(span)-01-", "00-\(trace)-\(span)-01-what", "00-\(trace)-\(span)-011",
    "ff-\(trace)-\(span)-01", "FF-\(trace)-\(span)-01", "0-\(trace)-\(span)-01",
    "000-\(trace)-\(span)-01", "00_\(trace)-\(span)-01", "00-\(trace)_\(span)-01",
    "00-\(trace)-\(span)_01", "00-4BF92F3577B34DA6A3CE929D0E0E4736-\(span)-01",
    "00-\(trace)-00F067AA0BA902B7-01", "00-\(trace)-\(span)-0A", "00-\(trace)-\(span)-0g",
    "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01",
    "00-\(trace)0-\(span)-01", "00-4bf92f3577b34da6a3ce929d0e0e473-\(span)0-01",
    "00-4bf92f3577b34da6a3ce929d0e0e473ä-\(span)-01", " 00-\(trace)-\(span)-01",
    "01-\(trace)-\(span)-01.what", "0x-\(trace)-\(span)-01",
  ])
  func `a text that breaks the version's format is no context`(text: String) {
    #expect(TraceContext(traceparent: text) == nil)
  }

  @Test(arguments: ["01-\(trace)-\(span)-01", "cc-\(trace)-\(span)-01-what-the-future-brings"])
  func `a later version's known members are read and passed on as version 00`(
    text: String
  ) throws {
    let context = try #require(TraceContext(traceparent: text))
    #expect(context.traceparent == "00-\(Self.trace)-\(Self.span)-01")
  }

  @Test func `a trace without a valid state is a trace without a state`() throws {
    let text = "00-\(Self.trace)-\(Self.span)-01"
    #expect(try #require(TraceContext(traceparent: text, tracestate: "a=1")).state != nil)
    #expect(try #require(TraceContext(traceparent: text, tracestate: "a")).state == nil)
  }

  @Test func `ids of zeros alone are refused`() {
    #expect(TraceID(0, 0) == nil)
    #expect(SpanID(0) == nil)
    #expect(TraceID(0, 1)?.description == "00000000000000000000000000000001")
    #expect(SpanID(255)?.description == "00000000000000ff")
  }
}

@Suite("W3C trace state")
struct TraceStateTests {
  @Test(arguments: [
    ("a=1", "a=1"), ("a=1,b=2", "a=1,b=2"), (" a=1 ,\tb=2\t", "a=1,b=2"), ("a=1,,b=2,", "a=1,b=2"),
    ("a=1 2", "a=1 2"), ("a_-*/0=x", "a_-*/0=x"), ("0t@s=1", "0t@s=1"), ("t@s-0=!~", "t@s-0=!~"),
    (String(repeating: "a", count: 256) + "=1", String(repeating: "a", count: 256) + "=1"),
    ("a=" + String(repeating: "v", count: 256), "a=" + String(repeating: "v", count: 256)),
  ])
  func `members are passed on in order, without blanks around them`(
    text: String, written: String
  ) {
    #expect(TraceState(text)?.description == written)
  }

  @Test(arguments: [
    "", " ", ",", "a", "=1", "a=", "A=1", "0a=1", "a =1", "a=1=2", "a=ä", "a=\u{7f}", "a=1\n",
    "a=1,a=2", "t@s@u=1", "t@=1", "@s=1", "t@0s=1", "t@" + String(repeating: "s", count: 15) + "=1",
    String(repeating: "a", count: 257) + "=1", "a=" + String(repeating: "v", count: 257),
    (0..<33).map { "k\($0)=1" }.joined(separator: ","), "a=1;b=2,c",
    (0..<20).map { "k\($0)=" + String(repeating: "v", count: 40) }.joined(separator: ","),
  ])
  func `one wrong member makes the whole state void`(text: String) {
    #expect(TraceState(text) == nil)
  }

  @Test func `a state of 32 members is accepted`() {
    let text = (0..<32).map { "k\($0)=1" }.joined(separator: ",")
    #expect(TraceState(text)?.description == text)
  }
}
