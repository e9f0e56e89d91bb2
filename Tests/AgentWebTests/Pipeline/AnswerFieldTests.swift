import AgentAccess
import AgentJSON
import AgentSettings
import AgentWorkers
import HTTPTypes
import Hummingbird
import Testing

@testable import AgentWeb

/// The fields of every answer, and what an answer to an error leaves out.
@Suite(.timeLimit(.minutes(5))) struct AnswerFieldTests {
  private static let board = "https://board.example"

  private func fixture(
    answer: @escaping APIRoute.Answer = { _ in Response(.null) }
  ) async throws -> PipelineFixture {
    var settings = HTTPSettings()
    settings.corsOrigins = [Self.board]
    return try await PipelineFixture(
      [
        PipelineFixture.route(.get, "things", answer: answer),
        PipelineFixture.route(.delete, "things", for: .operate),
      ], settings: settings)
  }

  @Test func `an answer has the request's id and isn't kept by caches`() async throws {
    let fixture = try await fixture()
    var fields = try await fixture.token()
    fields[.requestID] = "a-1"
    let refused = try await fixture.send(.get, "/api/v1/nothing", fields: fields)
    let answered = try await fixture.send(.get, "/api/v1/things", fields: fields)
    for answer in [refused, answered] {
      #expect(answer["X-Request-ID"] == "a-1")
      #expect(answer["X-Content-Type-Options"] == "nosniff")
      #expect(answer["Cache-Control"] == "no-store")
    }
    #expect(refused.problem?["request_id"]?.string == "a-1")
    await fixture.close()
  }

  @Test func `a route may allow caches to keep its answer`() async throws {
    let fixture = try await fixture { _ in
      var response = Response(.null)
      response.headers[.cacheControl] = "max-age=60"
      return response
    }
    let answer = try await fixture.send(
      .get, "/api/v1/things", fields: try await fixture.token())
    #expect(answer["Cache-Control"] == "max-age=60")
    await fixture.close()
  }

  @Test func `a preflight request of a named origin needs no token`() async throws {
    let fixture = try await fixture()
    func preflight(_ origin: String, _ path: String) async throws -> PipelineFixture.Answer {
      try await fixture.send(
        .options, path, fields: [.origin: origin, .accessControlRequestMethod: "DELETE"])
    }
    let answer = try await preflight(Self.board, "/api/v1/things")
    #expect(answer.status == 204 && answer["Access-Control-Allow-Origin"] == Self.board)
    #expect(answer["Access-Control-Allow-Methods"] == "GET, DELETE")
    // It isn't said which paths exist.
    let unknown = try await preflight(Self.board, "/api/v1/nothing")
    #expect(unknown.status == 204 && unknown["Access-Control-Allow-Methods"] == "")
    let foreign = try await preflight("https://evil.example", "/api/v1/things")
    #expect(foreign.status == 403 && foreign.code == "foreign_origin")
    #expect(foreign["Access-Control-Allow-Origin"] == nil)
    await fixture.close()
  }

  @Test func `a page of a named origin may read the answer, and no cache confuses two`()
    async throws
  {
    let fixture = try await fixture()
    var fields = try await fixture.token()
    let plain = try await fixture.send(.get, "/api/v1/things", fields: fields)
    #expect(plain["Access-Control-Allow-Origin"] == nil && plain["Vary"] == nil)
    fields[.origin] = Self.board
    let answer = try await fixture.send(.get, "/api/v1/things", fields: fields)
    #expect(answer["Access-Control-Allow-Origin"] == Self.board && answer["Vary"] == "origin")
    await fixture.close()
  }

  @Test func `a foreign host name is refused before the token is looked at`() async throws {
    let fixture = try await fixture()
    let answer = try await fixture.send(
      .get, "/api/v1/things", fields: [.authorization: "Bearer x"], authority: "evil.example")
    #expect(answer.status == 421 && answer.code == "misdirected")
    await fixture.close()
  }

  @Test func `an answer to an error shows no token`() async throws {
    let fixture = try await fixture { call in
      let said = call.request.headers[.authorization] ?? ""
      throw HostError(.failed, "It got \(said).", problems: [["found": .string(said)]])
    }
    let fields = try await fixture.token()
    let text = try #require(fields[.authorization])
    let secret = String(try #require(text.split(separator: "_", maxSplits: 2).last))
    let answer = try await fixture.send(.get, "/api/v1/things", fields: fields)
    #expect(answer.status == 500 && answer.code == "failed")
    #expect(answer.detail.contains(Redactor.replacement))
    #expect(answer.problem?["problems"]?[0]?["found"]?.string?.isEmpty == false)
    #expect(!answer.text.contains(secret))
    await fixture.close()
  }

  @Test func `an answer is compressed only for clients that accept it`() async throws {
    let fixture = try await fixture { _ in Response(.string(String(repeating: "a", count: 2000))) }
    var fields = try await fixture.token()
    let plain = try await fixture.send(.get, "/api/v1/things", fields: fields)
    #expect(plain["Content-Encoding"] == nil && plain["Content-Length"] == "2002")
    fields[.acceptEncoding] = "gzip"
    let packed = try await fixture.send(.get, "/api/v1/things", fields: fields)
    #expect(packed["Content-Encoding"] == "gzip" && packed["Vary"] == "accept-encoding")
    #expect(packed.bytes.count < 200 && packed.bytes.starts(with: [0x1F, 0x8B]))
    #expect(packed["Content-Length"] != "2002")
    await fixture.close()
  }
}
