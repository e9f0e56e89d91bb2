import AgentJSON
import TestSupport
import Testing

@testable import AgentNotifications

/// A webhook and a server that speaks TLS.
@Suite struct WebhookTLSTests {
  private let certificates: TestCertificates

  init() throws { certificates = try TestCertificates() }

  private let notice = Notice([
    "id": "ntc_1", "kind": "opened", "title": "t", "text": "x", "severity": "warning",
    "timestamp": 1_000,
  ])

  /// A webhook to a name that is this machine.
  private func webhook(
    _ host: String, _ port: Int, change: (inout WebhookNotifier.Options) -> Void = { _ in }
  ) -> WebhookNotifier {
    var options = WebhookNotifier.Options(url: "https://\(host):\(port)/hook")
    options.authorities = certificates.authority
    // A busy machine takes its time for a handshake, and no test here is about that.
    options.timeout = 120_000
    change(&options)
    return WebhookNotifier(
      options, lookUp: { $0 == "inner.example" ? ["127.0.0.1"] : ["127.0.0.2"] },
      isPublic: { $0 == "127.0.0.2" }, now: { 0 })
  }

  private func failure(of webhook: WebhookNotifier) async -> String {
    do {
      try await webhook.deliver(notice)
      return "It was delivered."
    } catch {
      return (error as? DeliveryFailure)?.message ?? "\(error)"
    }
  }

  @Test func `a certificate of an authority in the settings is trusted`() async throws {
    let receiver = try await TLSReceiver(
      certificates.identity("DNS:hook.example"), on: "127.0.0.2")
    try await webhook("hook.example", receiver.port).deliver(notice)
    #expect(receiver.paths == ["/hook"])
  }

  @Test func `an address in place of a name is compared with the certificate, too`() async throws {
    let receiver = try await TLSReceiver(certificates.identity("IP:127.0.0.1"))
    try await WebhookNotifier(
      {
        var options = WebhookNotifier.Options(url: "https://127.0.0.1:\(receiver.port)/hook")
        options.authorities = certificates.authority
        options.timeout = 120_000
        options.allowsPrivate = true
        return options
      }(), now: { 0 }
    ).deliver(notice)
    #expect(receiver.paths == ["/hook"])
  }

  @Test func `a certificate of an unknown authority is refused, and nothing is sent`() async throws
  {
    let receiver = try await TLSReceiver(
      certificates.identity("DNS:hook.example"), on: "127.0.0.2")
    let text = await failure(of: webhook("hook.example", receiver.port) { $0.authorities = nil })
    #expect(text.contains("isn't trusted: it has expired, or isn't valid yet, or this"), "\(text)")
    #expect(text.contains("\"ca_file\"") && receiver.paths.isEmpty, "\(text)")
  }

  @Test func `a certificate for another name is refused, and nothing is sent`() async throws {
    let receiver = try await TLSReceiver(
      certificates.identity("DNS:other.example"), on: "127.0.0.2")
    let text = await failure(of: webhook("hook.example", receiver.port))
    #expect(text.contains("is for another name than hook.example"), "\(text)")
    #expect(receiver.paths.isEmpty)
  }

  @Test func `a certificate that has expired is refused, and nothing is sent`() async throws {
    let receiver = try await TLSReceiver(
      certificates.identity("DNS:hook.example", expired: true), on: "127.0.0.2")
    let text = await failure(of: webhook("hook.example", receiver.port))
    #expect(text.contains("has expired") && receiver.paths.isEmpty, "\(text)")
  }

  @Test func `a server without TLS is reported as such`() async throws {
    let receiver = try WebhookReceiver([.status(200)], on: "127.0.0.2")
    let text = await failure(of: webhook("hook.example", receiver.port) { $0.timeout = 2_000 })
    #expect(text.contains("https://hook.example:\(receiver.port)"), "\(text)")
    #expect(receiver.requests.isEmpty)
  }

  @Test func `an invalid file of authorities is named`() async throws {
    let text = await failure(of: webhook("hook.example", 1) { $0.authorities = "/nowhere.pem" })
    #expect(text.contains("The certificates in /nowhere.pem can't be read"), "\(text)")
  }

  @Test func `a redirect to a private address isn't followed over TLS either`() async throws {
    let identity = try certificates.identity("DNS:hook.example,DNS:inner.example")
    let inner = try await TLSReceiver(identity)
    let outer = try await TLSReceiver(
      identity,
      redirecting: [
        "https://inner.example:\(inner.port)/", "https://127.0.0.1:\(inner.port)/",
        "http://hook.example/", "/second",
      ], on: "127.0.0.2")
    let webhook = webhook("hook.example", outer.port) { $0.redirects = 3 }
    let named = await failure(of: webhook)
    #expect(named.contains("inner.example has no public address"), "\(named)")
    let plain = await failure(of: webhook)
    #expect(plain.contains("127.0.0."), "\(plain)")
    let other = await failure(of: webhook)
    #expect(other.contains("redirects to another scheme than https"), "\(other)")
    try await webhook.deliver(notice)
    #expect(outer.paths == ["/hook", "/hook", "/hook", "/hook", "/second"])
    #expect(inner.paths.isEmpty)
  }
}
