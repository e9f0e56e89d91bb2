internal import AgentNotifications
internal import NIOSSL

extension TLSRules {
  /// Returns the configuration of a server with a certificate.
  static func server(
    _ chain: [NIOSSLCertificateSource], _ key: NIOSSLPrivateKeySource
  ) -> TLSConfiguration {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain, privateKey: key)
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = suites
    return configuration
  }
}
