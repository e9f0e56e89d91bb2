internal import Glibc
internal import NIOSSL

/// The alternative names and addresses of a certificate. Clients use nothing else (RFC 9525, 6.3).
struct CertificateNames {
  private var names: [String] = []
  private var addresses: [[UInt8]] = []

  /// Reads the names of a certificate.
  init(_ certificate: NIOSSLCertificate) {
    // The underscore is the library's. It offers no other access to them.
    for name in certificate._subjectAlternativeNames() {
      switch name.nameType {
      case .dnsName: names.append(String(decoding: name.contents, as: UTF8.self).lowercased())
      case .ipAddress: addresses.append(Array(name.contents))
      default: break
      }
    }
  }

  init(names: [String], addresses: [[UInt8]] = []) {
    self.names = names
    self.addresses = addresses
  }

  /// All names and addresses, for people.
  var texts: [String] { names + addresses.map(Self.text) }

  /// Returns whether a name is this host. `*` stands for a first label (RFC 9525, 6.3).
  func include(_ host: String) -> Bool {
    if let address = Self.bytes(of: host) { return addresses.contains(address) }
    let host = host.lowercased()
    return names.contains { name in
      guard name.hasPrefix("*."), let dot = host.firstIndex(of: ".") else { return name == host }
      return dot != host.startIndex && host[dot...] == name.dropFirst()
    }
  }

  /// Returns the host of an address such as `https://agent.example.org:8700/x`.
  static func host(of url: String) -> String? {
    guard let mark = url.firstRange(of: "://") else { return nil }
    let authority = url[mark.upperBound...].prefix { !"/?#".contains($0) }
    let place = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
    let host =
      place.hasPrefix("[")
      ? place.dropFirst().prefix { $0 != "]" } : place.prefix { $0 != ":" }
    return host.isEmpty ? nil : String(host)
  }

  private static func bytes(of text: String) -> [UInt8]? {
    for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: size)
      if inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }

  private static func text(_ bytes: [UInt8]) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard [4, 16].contains(bytes.count),
      inet_ntop(family, bytes, &text, socklen_t(clamping: text.count)) != nil
    else { return "?" }
    return String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
