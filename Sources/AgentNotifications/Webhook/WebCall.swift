internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// One request to a web server, and its answer; by the rules by which webhooks are sent. Redirects
/// aren't followed.
public struct WebCall: Sendable {
  /// Where to, http or https; may hold a secret.
  public var url: String
  /// GET, POST or another one.
  public var method = "GET"
  /// Header fields.
  public var headers: [String: String] = [:]
  /// What is sent; nil for nothing.
  public var body: [UInt8]?
  /// Whether a private address, or this machine, is allowed.
  public var allowsPrivate = false
  /// A PEM file with authorities that are believed beside those of the system; nil for none.
  public var authorities: String?
  /// Milliseconds that it may take.
  public var timeout: Int64 = 30_000
  /// How many bytes of the answer's body are kept.
  public var maxOfAnswer = 64 << 10
  /// What looks the name up.
  public var lookup = NameLookup.tasks

  /// What came back.
  public struct Answer: Sendable {
    /// Such as 200.
    public let status: Int
    /// Header fields, their names in lower case; of one that is there twice the first.
    public let headers: [String: String]
    /// The request body, as far as it was kept.
    public let body: [UInt8]
    /// There was more than was kept.
    public let isCut: Bool
  }

  /// A request with defaults.
  public init(url: String) { self.url = url }

  /// What is wrong with an address, for people; nil when it is one.
  public static func problem(with url: String) -> String? {
    do throws(DeliveryFailure) {
      _ = try WebhookAddress(parsing: url)
      return nil
    } catch {
      return error.message
    }
  }

  /// Signs it as Standard Webhooks has it: the headers `webhook-id`, `webhook-timestamp` and, where
  /// there is a secret, `webhook-signature`. The body has to be there before.
  /// - Parameter seconds: the moment, in Unix seconds.
  public mutating func sign(id: String, secret: String?, seconds: Int64) {
    headers["webhook-id"] = id
    headers["webhook-timestamp"] = String(seconds)
    headers["webhook-signature"] = secret.map {
      WebhookSignature(secret: $0).header(id: id, timestamp: seconds, body: body ?? [])
    }
  }

  /// Sends it.
  /// - Throws: `DeliveryFailure` when nobody answers.
  public func send() async throws -> Answer {
    let address = try WebhookAddress(parsing: url)
    var request = HTTPClientRequest(url: address.description)
    request.method = HTTPMethod(rawValue: method.uppercased())
    request.headers.replaceOrAdd(name: "user-agent", value: "Bulkhead")
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      request.headers.replaceOrAdd(name: name, value: value)
    }
    if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
    let client = AddressedClient(
      allowsPrivate: allowsPrivate, authorities: authorities, timeout: timeout,
      lookUp: { [lookup] in try await lookup.addresses(of: $0) })
    return try await client.send(request, to: address) { [maxOfAnswer] response in
      var bytes: [UInt8] = []
      var isCut = false
      for try await chunk in response.body {
        let space = maxOfAnswer - bytes.count
        bytes += chunk.readableBytesView.prefix(space)
        isCut = chunk.readableBytes > space
        if isCut { break }
      }
      return Answer(
        status: Int(clamping: response.status.code),
        headers: Dictionary(
          response.headers.map { ($0.name.lowercased(), $0.value) },
          uniquingKeysWith: { first, _ in first }),
        body: bytes, isCut: isCut)
    }
  }
}
