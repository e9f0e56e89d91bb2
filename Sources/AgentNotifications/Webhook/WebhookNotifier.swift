internal import AgentJSON
internal import AgentSystem
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// Sends notices to a URL, as Standard Webhooks has it.
public struct WebhookNotifier: Notifier {
  /// The most bytes of an answer that are looked at.
  private static let maxOfAnswer = 1024

  /// Where to and how.
  public struct Options: Sendable {
    /// Where to; may hold a secret.
    public var url: String
    /// What signs it; nil for no signature.
    public var secret: String?
    /// Further header fields.
    public var headers: [String: String] = [:]
    /// Whether a private address, or this machine, is allowed.
    public var allowsPrivate = false
    /// How many redirects are followed, 3 at most.
    public var redirects = 0
    /// A PEM file with authorities that are believed beside those of the system; nil for none.
    public var authorities: String?
    /// Milliseconds that one exchange may take.
    public var timeout: Int64 = 10_000

    /// A webhook with defaults.
    public init(url: String) { self.url = url }
  }

  private let options: Options
  private let now: @Sendable () -> Int64
  private let lookUp: @Sendable (String) async throws -> [String]
  private let isPublic: @Sendable (String) -> Bool

  /// - Parameters:
  ///   - lookUp: the addresses of a name; it asks the system where nothing else is given.
  ///   - now: the clock, in Unix milliseconds.
  public init(
    _ options: Options,
    lookUp: @escaping @Sendable (String) async throws -> [String] = Self.addresses,
    now: @escaping @Sendable () -> Int64
  ) {
    self.init(
      options, lookUp: lookUp, isPublic: { NetworkAddress($0)?.isPublic == true }, now: now)
  }

  /// - Parameter isPublic: whether an address is reached from everywhere.
  init(
    _ options: Options, lookUp: @escaping @Sendable (String) async throws -> [String],
    isPublic: @escaping @Sendable (String) -> Bool, now: @escaping @Sendable () -> Int64
  ) {
    self.options = options
    self.now = now
    self.lookUp = lookUp
    self.isPublic = isPublic
  }

  /// The addresses that the system knows of a name, as texts.
  @Sendable
  public static func addresses(of host: String) async throws -> [String] {
    try await NameLookup.notifiers.addresses(of: host)
  }

  /// Scheme, host and port, for people; nil when the URL isn't one.
  public static func origin(of url: String) -> String? {
    (try? WebhookAddress(parsing: url))?.origin
  }

  /// Sends the notice; done when the receiver says so with a status from 200 to 299.
  public func deliver(_ notice: Notice) async throws {
    let start = try WebhookAddress(parsing: options.url)
    let body = Self.body(of: notice)
    var address = start
    for redirect in 0...min(3, max(0, options.redirects)) {
      let answer = try await exchange(address, start: start, notice: notice, body: body)
      guard let location = answer.location else { return try answer.check() }
      guard redirect < min(3, options.redirects) else {
        throw DeliveryFailure(
          "\(address.origin) answered with a redirect (\(answer.status)). Use the address that it "
            + "names, or allow \"redirects\".")
      }
      guard let next = address.redirected(to: location), next.scheme == start.scheme else {
        throw DeliveryFailure(
          "\(address.origin) redirects to another scheme than \(start.scheme), which isn't "
            + "followed.")
      }
      address = next
    }
  }

  /// The payload that the specification proposes: a type, a moment, and what there is to say.
  private static func body(of notice: Notice) -> [UInt8] {
    let moment = CalendarMoment(notice.object["timestamp"]?.int.map { Int64($0) } ?? 0)
    let type = notice.kind == NoticeKind.test.rawValue ? "test" : "alert.\(notice.kind)"
    let object: JSONValue = [
      "type": .string(type), "timestamp": .string("\(moment.date)T\(moment.time)Z"),
      "data": .object(notice.object),
    ]
    return object.bytes()
  }

  // MARK: One request

  private struct Answer {
    let status: Int
    let location: String?
    let retryAfter: Int64?
    let text: String

    func check() throws(DeliveryFailure) {
      if (200..<300).contains(status) { return }
      // 410: the receiver doesn't want any more (Standard Webhooks, "Delivery").
      throw DeliveryFailure(
        "The receiver answered \(status)\(text.isEmpty ? "." : ": \(text)")",
        isFinal: status == 410, retryAfter: retryAfter)
    }
  }

  private func exchange(
    _ address: WebhookAddress, start: WebhookAddress, notice: Notice, body: [UInt8]
  ) async throws -> Answer {
    let client = AddressedClient(
      allowsPrivate: options.allowsPrivate, authorities: options.authorities,
      timeout: options.timeout, lookUp: lookUp, isPublic: isPublic)
    return try await client.send(
      request(address, start: start, notice: notice, body: body), to: address
    ) {
      await Self.answer($0)
    }
  }

  private func request(
    _ address: WebhookAddress, start: WebhookAddress, notice: Notice, body: [UInt8]
  ) -> HTTPClientRequest {
    var request = HTTPClientRequest(url: address.description)
    request.method = .POST
    // They may hold a password, which is meant for the place that was named.
    if !address.isElsewhere(than: start) {
      for (name, value) in options.headers.sorted(by: { $0.key < $1.key }) {
        request.headers.replaceOrAdd(name: name, value: value)
      }
    }
    let timestamp = now() / 1000
    request.headers.replaceOrAdd(name: "content-type", value: "application/json")
    request.headers.replaceOrAdd(name: "user-agent", value: "Bulkhead")
    request.headers.replaceOrAdd(name: "webhook-id", value: notice.id)
    request.headers.replaceOrAdd(name: "webhook-timestamp", value: String(timestamp))
    if let secret = options.secret {
      request.headers.replaceOrAdd(
        name: "webhook-signature",
        value: WebhookSignature(secret: secret).header(
          id: notice.id, timestamp: timestamp, body: body))
    }
    request.body = .bytes(ByteBuffer(bytes: body))
    return request
  }

  private static func answer(_ response: HTTPClientResponse) async -> Answer {
    let status = Int(clamping: response.status.code)
    // With 301 to 303 a POST would become a GET, which delivers nothing.
    let location = [307, 308].contains(status) ? response.headers.first(name: "location") : nil
    let text = (200..<300).contains(status) || location != nil ? "" : await text(response)
    return Answer(
      status: status, location: location,
      retryAfter: response.headers.first(name: "retry-after").flatMap { Int64($0) }.map {
        $0.clamped(to: 0...86_400).multiplied(1000)
      }, text: text)
  }

  /// The beginning of an answer, on one line.
  private static func text(_ response: HTTPClientResponse) async -> String {
    var bytes: [UInt8] = []
    do {
      for try await chunk in response.body {
        bytes += chunk.readableBytesView.prefix(maxOfAnswer - bytes.count)
        if bytes.count >= maxOfAnswer { break }
      }
    } catch {
      // The bytes that have come until then are enough.
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return String(
      text.unicodeScalars.prefix(200).map { scalar in
        scalar.properties.generalCategory == .control ? " " : Character(scalar)
      })
  }
}
