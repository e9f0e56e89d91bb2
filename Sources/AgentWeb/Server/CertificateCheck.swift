package import AgentDiagnostics
internal import AgentJSON
internal import AgentNotifications
internal import AgentHost
package import AgentSettings
internal import AgentSystem
internal import Glibc
internal import NIOSSL

/// Checks the certificate and the key of the API's port for `agent doctor`, by the rules of the
/// port.
///
/// It reports nothing about files that can't be read, because another check reports them.
package struct CertificateCheck {
  /// How long before its expiry a certificate should be replaced, in seconds.
  private static let notice: Int64 = 30 * 86_400
  private static let name = "certificate"

  private let tls: HTTPSettings.TLS
  private let baseURL: String?
  private let now: Int64

  /// - Parameters:
  ///   - http: the settings of the port.
  ///   - now: unix milliseconds.
  /// - Returns: nil if the port has no TLS.
  package init?(_ http: HTTPSettings, now: Int64) {
    guard http.isEnabled, let tls = http.tls else { return nil }
    self.tls = tls
    self.baseURL = http.baseURL
    self.now = now / 1000
  }

  /// Returns the faults of both, or a finding that there are none.
  package func findings() -> [DoctorFinding] {
    let files: [String] = [tls.certificate, tls.key]
    guard files.allSatisfy({ access($0, R_OK) == 0 }) else { return [] }
    let chain: [NIOSSLCertificate]
    do throws(ServerIdentity.Fault) {
      chain = try ServerIdentity(tls).chain
    } catch {
      return [
        Self.finding(
          .problem, sentence: "\(error) The port can't be opened.", remedy: remedy(error.cause))
      ]
    }
    let wrong = [timeFinding(chain), chain.first.flatMap(nameFinding)].compactMap(\.self)
    if !wrong.isEmpty { return wrong }
    let day = Self.day(chain.map { Int64($0.notValidAfter) }.min() ?? 0)
    return [
      DoctorFinding(Self.name, .ok, sentence: "The port's certificate is valid until \(day).")
    ]
  }

  private static func finding(
    _ verdict: DoctorFinding.Verdict, sentence: String, remedy: String
  ) -> DoctorFinding {
    DoctorFinding(name, verdict, sentence: sentence, remedy: remedy)
  }

  // MARK: What to do

  private func remedy(_ cause: ServerIdentity.Fault.Cause) -> String {
    switch cause {
    case .certificate:
      "It must be a file with -----BEGIN CERTIFICATE-----, the port's own certificate first."
    case .key:
      "It must be a PEM key without a passphrase. To remove one: openssl pkey -in OLD -out NEW"
    case .pair: "Set both files of http.tls to a matching pair."
    }
  }

  // MARK: Its time

  /// The certificate of a chain that expires first decides, because its expiry invalidates the
  /// chain.
  private func timeFinding(_ chain: [NIOSSLCertificate]) -> DoctorFinding? {
    let end = chain.map { Int64($0.notValidAfter) }.min() ?? 0
    let start = chain.map { Int64($0.notValidBefore) }.max() ?? 0
    let remedy = "Renew it, write it to \(tls.certificate), and run: agent reload"
    if end < now {
      return Self.finding(
        .problem,
        sentence: "The port's certificate expired on \(Self.day(end)). Clients refuse it.",
        remedy: remedy)
    }
    if start > now {
      return Self.finding(
        .problem, sentence: "The port's certificate isn't valid before \(Self.day(start)).",
        remedy: "Check this machine's clock.")
    }
    guard end.subtracting(now) < Self.notice else { return nil }
    let days = end.subtracting(now) / 86_400
    return Self.finding(
      .warning,
      sentence: "The port's certificate expires on \(Self.day(end)), in \(days) "
        + (days == 1 ? "day." : "days."), remedy: remedy)
  }

  /// Returns the day in UTC.
  private static func day(_ seconds: Int64) -> String {
    String(Timestamp.text(seconds.multiplied(1000)).prefix("2026-11-22".count))
  }

  // MARK: Its names

  private func nameFinding(_ leaf: NIOSSLCertificate) -> DoctorFinding? {
    guard let host = baseURL.flatMap(CertificateNames.host(of:)) else { return nil }
    let names = CertificateNames(leaf)
    guard !names.include(host) else { return nil }
    let there = names.texts.isEmpty ? "no name" : names.texts.prefix(5).joined(separator: ", ")
    return Self.finding(
      .problem,
      sentence: "The port's certificate is for \(there), but http.base_url names \(host).",
      remedy: "Get a certificate for \(host), or correct http.base_url.")
  }
}
