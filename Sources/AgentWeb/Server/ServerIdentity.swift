internal import AgentModules
internal import AgentNotifications
internal import AgentSettings
internal import NIOSSL

/// The certificate and the key with which the API's port speaks TLS.
struct ServerIdentity {
  /// Why they can't be used, in a sentence for people.
  struct Fault: Error, CustomStringConvertible {
    enum Cause {
      case certificate, key, pair
    }

    let cause: Cause
    let description: String
  }

  /// PEM files are some thousand bytes long.
  private static let maxBytes = 1 << 20

  let chain: [NIOSSLCertificate]
  let configuration: TLSConfiguration

  /// Reads both files and checks that they belong together. Files that aren't regular are refused:
  /// a named pipe would never end.
  init(_ tls: HTTPSettings.TLS) throws(Fault) {
    let certificate = try Self.read(tls.certificate, .certificate)
    let key = try Self.read(tls.key, .key)
    guard let chain = try? NIOSSLCertificate.fromPEMBytes(certificate), !chain.isEmpty else {
      throw Fault(
        cause: .certificate, description: "\(tls.certificate) holds no certificate in PEM.")
    }
    guard let privateKey = try? NIOSSLPrivateKey(bytes: key, format: .pem) else {
      throw Fault(cause: .key, description: "\(tls.key) holds no usable key.")
    }
    self.chain = chain
    configuration = TLSRules.server(chain.map { .certificate($0) }, .privateKey(privateKey))
    guard (try? NIOSSLContext(configuration: configuration)) != nil else {
      throw Fault(
        cause: .pair,
        description: "The key \(tls.key) doesn't match the first certificate in "
          + "\(tls.certificate).")
    }
  }

  /// Why the port can't be opened with these settings; nil when it can, or has no TLS.
  static func fault(of http: HTTPSettings) -> Fault? {
    guard http.isEnabled, let tls = http.tls else { return nil }
    do throws(Fault) {
      _ = try ServerIdentity(tls)
      return nil
    } catch {
      return error
    }
  }

  private static func read(_ path: String, _ cause: Fault.Cause) throws(Fault) -> [UInt8] {
    do throws(FileFailure) {
      return try FileSystem.read(path, limit: maxBytes)
    } catch {
      throw Fault(cause: cause, description: "\(path): \(error.message)")
    }
  }
}
