import AgentMetrics
import HTTPTypes
import Hummingbird
import Testing

@testable import AgentWeb

/// How many streams all principals, and one of them, may have open.
@Suite struct StreamLimitTests {
  private let metrics = RequestMetrics(MetricsRegistry(), [])

  private func openStream(most: Int?, for principal: String) async throws -> Response {
    try await metrics.stream(most: most, for: principal) {
      Response(status: .ok, body: ResponseBody { writer in try await writer.finish(nil) })
    }
  }

  @Test func `a principal has three quarters of the streams, and others have the rest`()
    async throws
  {
    var streams: [Response] = []
    for _ in 0..<3 { streams.append(try await openStream(most: 4, for: "ada")) }
    let own = await #expect(throws: APIProblem.self) { try await openStream(most: 4, for: "ada") }
    #expect(own?.status == .serviceUnavailable && own?.code == "too_many_streams")
    #expect(own?.message.contains("You have three quarters") == true)
    // The refused one has taken no stream from the others.
    streams.append(try await openStream(most: 4, for: "bob"))
    let all = await #expect(throws: APIProblem.self) { try await openStream(most: 4, for: "bob") }
    #expect(all?.message.contains("The number of open streams") == true)
    let retryAfter = try #require(HTTPField.Name("Retry-After"))
    #expect(all?.headers[retryAfter] == "10")
    withExtendedLifetime(streams) {}
  }

  @Test func `a stream whose answer is dropped unread frees its slot`() async throws {
    for _ in 0..<5 { _ = try await openStream(most: 1, for: "ada") }
    let kept = try await openStream(most: 1, for: "ada")
    await #expect(throws: APIProblem.self) { try await openStream(most: 1, for: "bob") }
    withExtendedLifetime(kept) {}
  }

  @Test func `a route that refuses a stream keeps no slot`() async throws {
    for _ in 0..<5 {
      await #expect(throws: CancellationError.self) {
        try await metrics.stream(most: 1, for: "ada") { throw CancellationError() }
      }
    }
    _ = try await openStream(most: 1, for: "ada")
  }

  @Test func `the socket has no limit of streams`() async throws {
    var streams: [Response] = []
    for _ in 0..<2_000 { streams.append(try await openStream(most: nil, for: "local:0")) }
    #expect(streams.count == 2_000)
  }
}
