import AgentSettings
import HTTPTypes
import Testing

@testable import AgentWeb

@Suite(.timeLimit(.minutes(5))) struct RateLimiterTests {
  @Test func `a clock that is set back neither empties a bucket nor fills it`() {
    let limiter = RateLimiter(rate: 1, burst: 2)
    #expect(limiter.wait("ada", now: 10_000) == nil)
    #expect(limiter.wait("ada", now: 5_000) == nil)
    #expect(limiter.wait("ada", now: 5_000) == 1000)
    // From here on the time of the new clock counts.
    #expect(limiter.wait("ada", now: 6_000) == nil)
    #expect(limiter.wait("ada", now: 6_000) == 1000)
  }

  @Test func `a bucket holds no more than its burst, however long it fills`() {
    let limiter = RateLimiter(rate: 1000, burst: 2)
    #expect(limiter.wait("ada", now: .min) == nil)
    for _ in 0..<2 { #expect(limiter.wait("ada", now: .max) == nil) }
    #expect(limiter.wait("ada", now: .max) == 1)
  }

  @Test func `a burst of zero permits one request`() {
    let limiter = RateLimiter(rate: 1, burst: 0)
    #expect(limiter.wait("ada", now: 0) == nil)
    #expect(limiter.wait("ada", now: 0) == 1000)
  }

  @Test func `full buckets are removed first when there are too many`() {
    let limiter = RateLimiter(rate: 1, burst: 1)
    for number in 0..<19_999 { _ = limiter.wait("\(number)", now: 0) }
    #expect(limiter.wait("busy", now: 500) == nil)
    // The others are full again.
    #expect(limiter.wait("new", now: 1000) == nil)
    #expect(limiter.wait("busy", now: 1000) == 500)
  }

  @Test func `all buckets are removed when too many are in use`() {
    let limiter = RateLimiter(rate: 1, burst: 1)
    for number in 0..<20_000 { _ = limiter.wait("\(number)", now: 0) }
    #expect(limiter.wait("0", now: 0) == 1000)
    #expect(limiter.wait("new", now: 0) == nil)
    #expect(limiter.wait("0", now: 0) == nil)
    #expect(limiter.wait("new", now: 0) == 1000)
  }

  /// A pipeline that permits two requests at once and one more each second.
  private func fixture() async throws -> PipelineFixture {
    var settings = HTTPSettings()
    settings.limits.requestsPerSecond = 1
    settings.limits.burst = 2
    return try await PipelineFixture(
      [
        PipelineFixture.route(.get, "things"), PipelineFixture.route(.get, "open", for: nil),
        PipelineFixture.route(.get, "alive", for: nil, options: .unlimited),
      ], settings: settings)
  }

  @Test func `too many requests are refused with the time to wait`() async throws {
    let fixture = try await fixture()
    let token = try await fixture.token()
    for _ in 0..<2 {
      #expect(try await fixture.send(.get, "/api/v1/things", fields: token).status == 200)
    }
    let answer = try await fixture.send(.get, "/api/v1/things", fields: token)
    #expect(answer.status == 429 && answer.code == "too_many_requests")
    #expect(answer["Retry-After"] == "1")
    fixture.advance(999)
    #expect(try await fixture.send(.get, "/api/v1/things", fields: token).status == 429)
    fixture.advance(1)
    #expect(try await fixture.send(.get, "/api/v1/things", fields: token).status == 200)
    await fixture.close()
  }

  @Test func `a token has its limit at all addresses together`() async throws {
    let fixture = try await fixture()
    let (token, other) = (try await fixture.token(), try await fixture.token())
    func send(_ token: HTTPFields, from address: String) async throws -> Int {
      try await fixture.send(.get, "/api/v1/things", fields: token, from: address).status
    }
    #expect(try await send(token, from: "192.0.2.1") == 200)
    #expect(try await send(token, from: "192.0.2.2") == 200)
    #expect(try await send(token, from: "192.0.2.3") == 429)
    // Another token of the same name isn't limited by it.
    #expect(try await send(other, from: "192.0.2.4") == 200)
    await fixture.close()
  }

  @Test func `guesses of tokens are limited by their address`() async throws {
    let fixture = try await fixture()
    let token = try await fixture.token()
    func guess(from address: String) async throws -> Int {
      try await fixture.send(
        .get, "/api/v1/things", fields: [.authorization: "Bearer x"], from: address
      ).status
    }
    // Addresses of one IPv6 network are one client.
    #expect(try await guess(from: "2001:db8::1") == 401)
    #expect(try await guess(from: "2001:db8::2") == 401)
    #expect(try await guess(from: "2001:db8::3") == 429)
    #expect(try await guess(from: "2001:db8:0:1::1") == 401)
    let valid = try await fixture.send(
      .get, "/api/v1/things", fields: token, from: "2001:db8::4")
    #expect(valid.status == 429)
    await fixture.close()
  }

  @Test func `an unlimited route answers a client that is above its rate`() async throws {
    let fixture = try await fixture()
    for expected in [200, 200, 429] {
      #expect(try await fixture.send(.get, "/api/v1/open").status == expected)
    }
    let token = try await fixture.token()
    for fields in [[:], token, [.authorization: "Bearer x"]] {
      for _ in 0..<5 {
        #expect(try await fixture.send(.get, "/api/v1/alive", fields: fields).status == 200)
      }
    }
    // Clients without a token share no bucket.
    #expect(try await fixture.send(.get, "/api/v1/open", from: "192.0.2.2").status == 200)
    await fixture.close()
  }
}
