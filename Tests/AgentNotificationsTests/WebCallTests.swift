import AgentJSON
import TestSupport
import Testing

@testable import AgentNotifications

@Suite struct WebCallTests {
  @Test func `a request has its method, fields and body, and the response is returned`()
    async throws
  {
    let receiver = try WebhookReceiver([.status(404, ["X-Word: no"])])
    var call = WebCall(url: "http://127.0.0.1:\(receiver.port)/a?b=c")
    call.method = "PUT"
    call.headers = ["X-Room": "ops"]
    call.body = Array("{}".utf8)
    call.allowsPrivate = true
    let answer = try await call.send()
    let request = try #require(receiver.requests.first)
    #expect(request.path == "/a?b=c" && request.headers["x-room"] == "ops")
    #expect(String(decoding: request.body, as: UTF8.self) == "{}")
    #expect(answer.status == 404 && answer.headers["x-word"] == "no" && !answer.isCut)
  }

  /// The example of the Standard Webhooks libraries' tests.
  @Test func `a web call may be signed as webhooks are`() {
    var call = WebCall(url: "https://example.org/")
    call.body = Array(#"{"test": 2432232314}"#.utf8)
    call.sign(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      seconds: 1_614_265_330)
    #expect(
      call.headers == [
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      ])
    call.sign(id: "a", secret: nil, seconds: 1)
    #expect(call.headers["webhook-signature"] == nil)
  }

  @Test func `a private address isn't called where none is permitted`() async throws {
    let receiver = try WebhookReceiver()
    let call = WebCall(url: "http://127.0.0.1:\(receiver.port)/")
    await #expect(throws: DeliveryFailure.self) { _ = try await call.send() }
    #expect(receiver.requests.isEmpty)
    #expect(WebCall.problem(with: "http://user:word@a/") != nil)
    #expect(WebCall.problem(with: "nowhere") != nil)
    #expect(WebCall.problem(with: "https://example.org/hook") == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a response that never ends is given up after the request's time`() async throws {
    let receiver = try WebhookReceiver([.beginning])
    var call = WebCall(url: "http://127.0.0.1:\(receiver.port)/")
    (call.allowsPrivate, call.timeout) = (true, 500)
    let failure = await #expect(throws: DeliveryFailure.self) { _ = try await call.send() }
    #expect(failure?.message.contains("didn't respond in time") == true)
    #expect(receiver.requests.count == 1)
  }
}
