public import NIOSSL

/// How TLS is spoken, by the port and by clients of this program: 1.2 and later, with suites that
/// encrypt and authenticate at once (RFC 9325, sections 3.1.1 and 4.2).
public enum TLSRules {
  /// The cipher suites of TLS 1.2. All suites of TLS 1.3 are of this kind.
  public static let suites: [NIOTLSCipher] = [
    .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
  ]

  /// A client's side, which believes the authorities that this machine knows.
  public static var client: TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = suites
    return configuration
  }
}
