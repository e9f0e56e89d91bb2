import AgentJSON
import AgentWorkers
import HTTPTypes
import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import AgentWeb

/// How the body of a request is read and checked.
@Suite(.timeLimit(.minutes(5))) struct RequestReaderTests {
  private static let order = Shape.object(
    "Order", as: "an order", required: ["count"],
    ["count": ["type": "integer"], "note": ["type": "string"]])
  private static let json: HTTPFields = [
    .contentType: "application/json", .transferEncoding: "chunked",
  ]
  private static let lines: HTTPFields = [
    .contentType: "application/x-ndjson", .transferEncoding: "chunked",
  ]

  /// Reads a body that arrives in pieces.
  private func read(
    _ pieces: [String], fields: HTTPFields = Self.json, as body: APIBody? = .json(Self.order),
    with reader: RequestReader = RequestReader()
  ) async throws -> (bytes: [UInt8], document: JSONDocument?) {
    let parts = AsyncStream<ByteBuffer> { continuation in
      for piece in pieces { continuation.yield(ByteBuffer(string: piece)) }
      continuation.finish()
    }
    return try await read(RequestBody(asyncSequence: parts), fields: fields, as: body, with: reader)
  }

  private func read(
    _ content: RequestBody, fields: HTTPFields, as body: APIBody?, with reader: RequestReader
  ) async throws -> (bytes: [UInt8], document: JSONDocument?) {
    let head = HTTPRequest(
      method: .post, scheme: "http", authority: "localhost", path: "/api/v1/orders",
      headerFields: fields)
    let route = APIRoute(
      .post, "orders", operation: "do", summary: "", tag: .agent, for: nil, body: body, replies: []
    ) { _ in Response(.null) }
    return try await reader.body(Request(head: head, body: content), for: route)
  }

  /// A body that must not be read.
  private var unread: RequestBody {
    RequestBody(
      asyncSequence: AsyncStream<ByteBuffer>(unfolding: {
        Issue.record("The body was read.")
        return nil
      }))
  }

  @Test func `a body that arrives in pieces is read as one`() async throws {
    let (bytes, document) = try await read([#"{"co"#, #"unt": "#, "7}"])
    #expect(bytes == Array(#"{"count": 7}"#.utf8))
    #expect(document?.root["count"]?.int == 7)
  }

  @Test func `a declared length above the limit is refused before the body is read`() async {
    var fields = Self.json
    fields[.transferEncoding] = nil
    fields[.contentLength] = "12"
    let error = await #expect(throws: APIProblem.self) {
      try await read(
        unread, fields: fields, as: .json(Self.order), with: RequestReader(limit: 11, depth: 64))
    }
    #expect(error?.status == .contentTooLarge && error?.code == "too_large")
    #expect(error?.message.contains("more than 11 bytes") == true)
  }

  @Test func `a body without a declared length may be as long as the limit`() async throws {
    let pieces = [#"{"count""#, ": 7}"]
    #expect(try await read(pieces, with: RequestReader(limit: 12, depth: 64)).bytes.count == 12)
    let error = await #expect(throws: APIProblem.self) {
      try await read(pieces, with: RequestReader(limit: 11, depth: 64))
    }
    #expect(error?.code == "too_large")
  }

  @Test func `a body is counted from its first byte until its request is answered`() async throws {
    let budget = BodyBudget(maxBytes: 100)
    let (parts, arriving) = AsyncStream.makeStream(of: ByteBuffer.self)
    let head = HTTPRequest(
      method: .post, scheme: "http", authority: "localhost", path: "/api/v1/orders",
      headerFields: Self.json)
    let route = APIRoute(
      .post, "orders", operation: "do", summary: "", tag: .agent, for: nil,
      body: .json(Self.order), replies: []
    ) { _ in Response(.null) }
    let share = budget.share(of: "a") {}
    let reading = Task {
      try await RequestReader().body(
        Request(head: head, body: RequestBody(asyncSequence: parts)), for: route, counting: share)
    }
    arriving.yield(ByteBuffer(string: #"{"count""#))
    try await wait(while: budget.bytes != 8)
    arriving.yield(ByteBuffer(string: ": 7}"))
    arriving.finish()
    #expect(try await reading.value.bytes.count == 12)
    #expect(budget.bytes == 12)
    share.end()
    #expect(budget.bytes == 0)
  }

  @Test func `a route's own limit counts in place of the settings' limit`() async throws {
    let (body, reader) = (APIBody.json(Self.order, limit: 12), RequestReader(limit: 5, depth: 64))
    #expect(try await read([#"{"count": 7}"#], as: body, with: reader).bytes.count == 12)
    await #expect(throws: APIProblem.self) {
      try await read([#"{"count": 70}"#], as: body, with: RequestReader(limit: 50, depth: 64))
    }
  }

  @Test(arguments: [
    "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "", "*/*",
    "application/x-ndjson",
  ])
  func `another type than JSON is refused before the body is read`(_ type: String) async {
    let error = await #expect(throws: APIProblem.self) {
      try await read(
        unread, fields: [.contentType: type, .transferEncoding: "chunked"],
        as: .json(Self.order), with: RequestReader())
    }
    #expect(error?.status == .unsupportedMediaType && error?.code == "unsupported_media_type")
    #expect(
      error?.message == "The Content-Type must be application/json; found \"\(type)\".")
  }

  @Test func `a body without a type is refused, even where it may be missing`() async {
    for body in [APIBody.json(Self.order), .json(Self.order, isOptional: true)] {
      let error = await #expect(throws: APIProblem.self) {
        try await read(
          unread, fields: [.transferEncoding: "chunked"], as: body, with: RequestReader())
      }
      #expect(error?.message.contains("there is none") == true)
    }
  }

  @Test(arguments: ["application/json; charset=utf-8", "Application/JSON", " application/json ;x"])
  func `the type is compared without its case and its parameters`(_ type: String) async throws {
    let fields: HTTPFields = [.contentType: type, .transferEncoding: "chunked"]
    #expect(try await read([#"{"count": 7}"#], fields: fields).document != nil)
  }

  @Test(arguments: [
    ("{\"count\": 7,\n \"count\": 8}", 2, 2), ("{\"count\": 7", 1, 12), ("{\"count\":\n7,}", 2, 2),
    ("[[[[0]]]]", 1, 4), ("\u{feff}{}", 1, 1),
  ])
  func `a body that isn't JSON is refused with line and column`(
    text: String, line: Int, column: Int
  ) async {
    let error = await #expect(throws: HostError.self) {
      try await read([text], with: RequestReader(limit: 100, depth: 3))
    }
    #expect(error?.code == .invalid)
    #expect(
      error?.message.hasPrefix("The body isn't JSON: line \(line), column \(column): ") == true)
  }

  @Test func `every wrong value of a body is named with its place`() async throws {
    let error = await #expect(throws: HostError.self) {
      try await read(["{\"count\": \"x\",\n \"note\": 1}"])
    }
    #expect(error?.code == .invalid)
    #expect(error?.message.hasPrefix("The body isn't an order: ") == true)
    let problems = try #require(error?.problems)
    #expect(problems.map { $0["pointer"]?.string } == ["/count", "/note"])
    #expect(problems.map { $0["line"]?.int } == [1, 2])
    #expect(problems.map { $0["column"]?.int } == [11, 10])
    #expect(problems.first?["expected"]?.string?.contains("integer") == true)
    #expect(problems.first?["found"]?.string?.contains("x") == true)
  }

  @Test func `an unknown key of a body is named, and the nearest known one`() async throws {
    let error = await #expect(throws: HostError.self) {
      try await read(["{\"count\": 7,\n \"nte\": \"x\"}"])
    }
    let problem = try #require(error?.problems.first)
    #expect(error?.problems.count == 1 && problem["line"]?.int == 2)
    #expect(problem["message"]?.string?.contains("\"nte\"") == true)
    #expect(problem["suggestion"]?.string?.contains("\"note\"") == true)
  }

  @Test func `a missing body is refused unless it may be missing`() async throws {
    let error = await #expect(throws: HostError.self) { try await read([]) }
    #expect(error?.message == "The body is missing. Send an order as JSON.")
    for fields in [Self.json, [:], [.contentLength: "0"]] as [HTTPFields] {
      let body = APIBody.json(Self.order, isOptional: true)
      let (bytes, document) = try await read([], fields: fields, as: body)
      #expect(bytes.isEmpty && document == nil)
    }
  }

  @Test func `a route without a body refuses one, and reads none`() async throws {
    let refused = await #expect(throws: HostError.self) {
      try await read(unread, fields: [.contentLength: "1"], as: nil, with: RequestReader())
    }
    #expect(refused?.message == "This route takes no body, and the request has one.")
    await #expect(throws: HostError.self) { try await read(["{}"], as: nil) }
    // A chunked body may turn out to be empty.
    #expect(try await read([], as: nil).bytes.isEmpty)
    #expect(try await read([], fields: [.contentLength: "0"], as: nil).bytes.isEmpty)
    _ = try await read(unread, fields: [:], as: nil, with: RequestReader())
  }

  @Test func `lines are left to a route that reads them as they arrive`() async throws {
    let body = APIBody.jsonOrLines(Self.order)
    let (bytes, document) = try await read(
      unread, fields: Self.lines, as: body, with: RequestReader())
    #expect(bytes.isEmpty && document == nil)
    #expect(try await read([#"{"count": 7}"#], as: body).document != nil)
    await #expect(throws: HostError.self) { try await read([#"{"count": 7.5}"#], as: body) }
  }

  @Test func `a route of whole lines reads them, and takes no JSON`() async throws {
    let body = APIBody.lines(limit: 4)
    let (bytes, document) = try await read(["1\n", "x\n"], fields: Self.lines, as: body)
    #expect(bytes == Array("1\nx\n".utf8) && document == nil)
    await #expect(throws: APIProblem.self) { try await read(["1"], as: body) }
    await #expect(throws: APIProblem.self) {
      try await read(["1\n2\n3"], fields: Self.lines, as: body)
    }
  }

  @Test func `a body that breaks off is refused`() async {
    for body in [APIBody.json(Self.order), nil] {
      let broken = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
        continuation.finish(throwing: CancellationError())
      }
      let error = await #expect(throws: HostError.self) {
        try await read(
          RequestBody(asyncSequence: broken), fields: Self.json, as: body, with: RequestReader())
      }
      #expect(error?.message == "The body was cut off.")
    }
  }
}
