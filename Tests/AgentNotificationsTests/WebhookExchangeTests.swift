import AgentJSON
import Synchronization
import TestSupport
import Testing

@testable import AgentNotifications

/// A webhook and a server.
@Suite struct WebhookExchangeTests {
  private let notice = Notice([
    "id": "ntc_1", "kind": "opened", "title": "t", "text": "x", "severity": "warning",
    "timestamp": 1_000,
  ])

  private func options(
    _ receiver: WebhookReceiver, _ host: String = "127.0.0.1",
    change: (inout WebhookNotifier.Options) -> Void = { _ in }
  ) -> WebhookNotifier.Options {
    var options = WebhookNotifier.Options(url: "http://\(host):\(receiver.port)/hook?a=b")
    options.allowsPrivate = true
    // A busy machine takes its time. Tests of the limit set their own.
    options.timeout = 120_000
    change(&options)
    return options
  }

  private func failure(_ work: () async throws -> Void) async -> DeliveryFailure? {
    do {
      try await work()
      return nil
    } catch {
      return error as? DeliveryFailure
    }
  }

  @Test func `a notice is posted with its id, its moment, its signature and its headers`()
    async throws
  {
    let receiver = try WebhookReceiver()
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    let webhook = WebhookNotifier(
      options(receiver) {
        $0.secret = secret
        $0.headers = ["X-Room": "ops", "webhook-id": "forged"]
      }, now: { 5_999 })
    try await webhook.deliver(notice)
    let request = try #require(receiver.requests.first)
    #expect(request.path == "/hook?a=b" && request.headers["x-room"] == "ops")
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.id == "ntc_1" && request.headers["webhook-timestamp"] == "5")
    let signature = WebhookSignature(secret: secret).header(
      id: "ntc_1", timestamp: 5, body: request.body)
    #expect(request.headers["webhook-signature"] == signature)
    #expect(request.json["type"] == "alert.opened")
    #expect(request.json["timestamp"] == "1970-01-01T00:00:01Z")
    #expect(request.json["data"]?["title"] == "t")
  }

  @Test func `a connection goes to the address that was checked, whatever the name`() async throws {
    let receiver = try WebhookReceiver()
    let asked = Mutex<[String]>([])
    let webhook = WebhookNotifier(
      options(receiver, "Hook.Example"),
      lookUp: { host in
        asked.withLock { $0.append(host) }
        return ["127.0.0.1"]
      }, now: { 0 })
    try await webhook.deliver(notice)
    #expect(asked.withLock { $0 } == ["hook.example"])
    #expect(receiver.requests.first?.headers["host"] == "hook.example:\(receiver.port)")
    #expect(receiver.requests.first?.headers["webhook-signature"] == nil)
  }

  @Test func `the first of several addresses that accepts the connection gets the request alone`()
    async throws
  {
    let receiver = try WebhookReceiver()
    func webhook(_ addresses: [String], isPublic: @escaping @Sendable (String) -> Bool)
      -> WebhookNotifier
    {
      WebhookNotifier(
        options(receiver, "hook.example") { $0.allowsPrivate = false },
        lookUp: { _ in addresses }, isPublic: isPublic, now: { 0 })
    }
    // Nobody listens on 127.0.0.3.
    try await webhook(["127.0.0.3", "127.0.0.1"], isPublic: { _ in true }).deliver(notice)
    #expect(receiver.requests.count == 1)
    let refused = await failure {
      try await webhook(["127.0.0.3", "127.0.0.1"], isPublic: { $0 == "127.0.0.3" })
        .deliver(notice)
    }
    #expect(refused?.message.contains("hook.example:\(receiver.port) can't be reached") == true)
    #expect(receiver.requests.count == 1)
  }

  @Test func `a redirect from a public address to a private one isn't followed`() async throws {
    let inner = try WebhookReceiver()
    let outer = try WebhookReceiver(
      [.status(307, ["Location: http://inner.example:\(inner.port)/"])], on: "127.0.0.2")
    let webhook = WebhookNotifier(
      options(outer, "outer.example") {
        $0.allowsPrivate = false
        $0.redirects = 3
      },
      lookUp: { $0 == "outer.example" ? ["127.0.0.2"] : ["127.0.0.1"] },
      isPublic: { $0 == "127.0.0.2" }, now: { 0 })
    let failure = await failure { try await webhook.deliver(notice) }
    #expect(failure?.message.contains("inner.example has no public address") == true)
    #expect(outer.requests.count == 1 && inner.requests.isEmpty)
  }

  @Test func `redirects are followed up to the limit, without the headers to other hosts`()
    async throws
  {
    let last = try WebhookReceiver()
    let first = try WebhookReceiver([
      .status(308, ["Location: /second"]),
      .status(307, ["Location: http://127.0.0.1:\(last.port)/"]),
      .status(308, ["Location: /second"]),
      .status(307, ["Location: http://127.0.0.1:\(last.port)/"]),
      .status(307, ["Location: https://127.0.0.1/"]), .status(302, ["Location: /elsewhere"]),
    ])
    func webhook(_ redirects: Int) -> WebhookNotifier {
      WebhookNotifier(
        options(first) {
          $0.redirects = redirects
          $0.headers = ["Authorization": "Bearer x"]
        }, now: { 0 })
    }
    try await webhook(2).deliver(notice)
    #expect(first.requests.map(\.path) == ["/hook?a=b", "/second"])
    #expect(first.requests.allSatisfy { $0.headers["authorization"] == "Bearer x" })
    #expect(last.requests.count == 1 && last.requests[0].headers["authorization"] == nil)
    #expect(last.requests[0].body == first.requests[0].body)
    let tooMany = await failure { try await webhook(1).deliver(notice) }
    #expect(tooMany?.message.contains("answered with a redirect (307)") == true)
    let otherScheme = await failure { try await webhook(3).deliver(notice) }
    #expect(otherScheme?.message.contains("redirects to another scheme than http") == true)
    let getting = await failure { try await webhook(3).deliver(notice) }
    #expect(getting?.message == "The receiver answered 302.")
  }

  @Test func `a refusal carries the response, the time to retry and whether to stop`()
    async throws
  {
    let receiver = try WebhookReceiver([
      .status(503, ["Retry-After: 30"], "busy\n\u{1B}[2J"), .status(410), .status(204),
      .status(500, [], String(repeating: "x", count: 100_000)),
    ])
    let webhook = WebhookNotifier(options(receiver), now: { 0 })
    let busy = await failure { try await webhook.deliver(notice) }
    #expect(busy?.message == "The receiver answered 503: busy  [2J")
    #expect(busy?.retryAfter == 30_000 && busy?.isFinal == false)
    let gone = await failure { try await webhook.deliver(notice) }
    #expect(gone?.isFinal == true)
    #expect(await failure { try await webhook.deliver(notice) } == nil)
    let long = await failure { try await webhook.deliver(notice) }
    #expect(long?.message.count ?? 0 < 300)
  }

  @Test func `a silent receiver and a missing one are failures`() async throws {
    let silent = try WebhookReceiver([.silence])
    let webhook = WebhookNotifier(options(silent) { $0.timeout = 50 }, now: { 0 })
    let slow = await failure { try await webhook.deliver(notice) }
    #expect(slow?.message.contains("http://127.0.0.1:\(silent.port) can't be reached") == true)
    let absent = WebhookNotifier(
      .init(url: "http://nowhere.example/"),
      lookUp: { throw DeliveryFailure("\($0) can't be looked up: unknown.") }, now: { 0 })
    let unknown = await failure { try await absent.deliver(notice) }
    #expect(unknown?.message == "nowhere.example can't be looked up: unknown.")
  }
}
