internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix

/// Sends single requests to addresses that were checked.
///
/// The name is looked up here, its address is checked, and the connection is made to that address:
/// a name that is given another address in between (DNS rebinding) leads nowhere else.
struct AddressedClient: Sendable {
  /// Whether a private address, or this machine, is allowed.
  var allowsPrivate = false
  /// A PEM file with authorities that are believed beside those of the system; nil for none.
  var authorities: String?
  /// Milliseconds that a request may take: the look-up, all addresses, and the whole response.
  var timeout: Int64 = 10_000
  var lookUp: @Sendable (String) async throws -> [String]
  var isPublic: @Sendable (String) -> Bool = { NetworkAddress($0)?.isPublic == true }

  /// No connection came about: nothing was sent, so that another address may be tried.
  private struct NotConnected: Error {
    let failure: DeliveryFailure
  }

  /// Sends a request to the first address that takes the connection.
  /// - Parameter read: makes something of the response before the connection is closed.
  func send<Answer: Sendable>(
    _ request: HTTPClientRequest, to address: WebhookAddress,
    read: @escaping @Sendable (HTTPClientResponse) async throws -> Answer
  ) async throws -> Answer {
    // The HTTP client's own limits end with the head of the response. Its body may come a byte at a
    // time for ever.
    try await Deadline.run(
      milliseconds: max(1, timeout),
      failure: Self.failure(HTTPClientError.deadlineExceeded, at: address),
      pause: { try await Task.sleep(for: $0) }
    ) {
      try await attempt(request, to: address, read)
    }
  }

  private func attempt<Answer: Sendable>(
    _ request: HTTPClientRequest, to address: WebhookAddress,
    _ read: @Sendable (HTTPClientResponse) async throws -> Answer
  ) async throws -> Answer {
    var refusal: NotConnected?
    for target in try await checkedAddresses(of: address).prefix(4) {
      do {
        return try await exchange(request, address: address, at: target, read: read)
      } catch let error as NotConnected {
        refusal = error
      }
    }
    throw refusal?.failure ?? DeliveryFailure("\(address.host) has no address.")
  }

  /// The addresses to which a connection may be made.
  private func checkedAddresses(of address: WebhookAddress) async throws -> [String] {
    let addresses = try await lookUp(address.host)
    let allowed = allowsPrivate ? addresses : addresses.filter(isPublic)
    if !allowed.isEmpty { return allowed }
    throw DeliveryFailure(
      // Which addresses it has isn't said: who may have requests sent would learn the names of a
      // network that they can't see.
      "\(address.host) has no public address. Write \"allow_private\": true if it is meant to be a "
        + "private one.")
  }

  private func exchange<Answer: Sendable>(
    _ request: HTTPClientRequest, address: WebhookAddress, at target: String,
    read: @Sendable (HTTPClientResponse) async throws -> Answer
  ) async throws -> Answer {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .milliseconds(min(5_000, timeout))))
    configuration.httpVersion = .http1Only
    // Whether to try again is for the caller to say, who knows of the attempts.
    configuration.connectionPool.retryConnectionEstablishment = false
    if target != address.host { configuration.dnsOverride = [address.host: target] }
    if address.scheme == "https" {
      configuration.tlsConfiguration =
        if let authorities {
          try await WebhookTrust.configuration(adding: authorities)
        } else {
          TLSRules.client
        }
    }
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    do {
      let answer = try await execute(request, by: client, address: address, read: read)
      try await client.shutdown()
      return answer
    } catch {
      try? await client.shutdown()
      throw error
    }
  }

  private func execute<Answer: Sendable>(
    _ request: HTTPClientRequest, by client: HTTPClient, address: WebhookAddress,
    read: @Sendable (HTTPClientResponse) async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await read(
        try await client.execute(request, timeout: .milliseconds(max(1, timeout))))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      if let failure = WebhookTrust.failure(error, at: address) { throw failure }
      let failure = Self.failure(error, at: address)
      let isConnecting =
        error is NIOConnectionError || error is IOError
        || error as? HTTPClientError == .connectTimeout
      if isConnecting { throw NotConnected(failure: failure) }
      throw failure
    }
  }

  private static func failure(_ error: any Error, at address: WebhookAddress) -> DeliveryFailure {
    DeliveryFailure("\(address.origin) can't be reached: \(ConnectionFault.text(error)).")
  }
}
