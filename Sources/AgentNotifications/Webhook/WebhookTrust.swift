internal import AgentModules
internal import NIOPosix
internal import NIOSSL

/// Whose certificates a webhook believes: those that this machine knows, and those of a file.
enum WebhookTrust {
  /// The authorities of a whole system are some 200 KB.
  private static let maxBytes = 4 << 20

  /// How TLS is spoken when the authorities in a PEM file are believed, too.
  static func configuration(adding file: String) async throws -> TLSConfiguration {
    let authorities: [NIOSSLCertificate]
    do {
      authorities = try await NIOThreadPool.singleton.runIfActive {
        // Not by the library, which would wait for the writer of a named pipe without end.
        try NIOSSLCertificate.fromPEMBytes(FileSystem.read(file, limit: maxBytes))
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw DeliveryFailure(
        "The certificates in \(file) can't be read, so no receiver could be trusted. Correct "
          + "\"ca_file\": a PEM file that this user may read.")
    }
    var configuration = TLSRules.client
    configuration.additionalTrustRoots = [.certificates(authorities)]
    return configuration
  }

  /// The TLS fault of the server, for people. Nil when the failure had another cause.
  static func failure(_ error: any Error, at address: WebhookAddress) -> DeliveryFailure? {
    if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
      return DeliveryFailure(
        "The certificate at \(address.origin) is for another name than \(address.host). Nothing was "
          + "sent. Use the name that it is for, or have it made for this one.")
    }
    guard case NIOSSLError.handshakeFailed(let reason) = error else { return nil }
    let text = "\(reason)"
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      return DeliveryFailure(
        "The certificate at \(address.origin) isn't trusted: it has expired, or isn't valid yet, "
          + "or this machine doesn't know who signed it. Nothing was sent. \"ca_file\" names the "
          + "certificate of your own authority.")
    }
    if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
      return DeliveryFailure("\(address.origin) doesn't speak TLS. Is it meant to be http?")
    }
    return DeliveryFailure("\(address.origin) and this agent can't agree on TLS: \(text)")
  }
}
