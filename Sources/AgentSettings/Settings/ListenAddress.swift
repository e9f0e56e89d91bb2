internal import AgentText
internal import Glibc

/// The address and number of a port of this machine.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// An IPv4 or IPv6 address.
  public let host: String
  /// The number, 1 to 65535. 0 means any free port.
  public let port: Int

  /// Makes an address. The caller guarantees that `host` is an IP address.
  public init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Reads `127.0.0.1:17042`, `[::1]:17042`, `localhost:17042`, or `17042`, which means this
  /// machine only. Returns nil for anything else. Names aren't looked up.
  public init?(parsing text: String) {
    let colon = text.lastIndex(of: ":")
    let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit),
      let port = Int(digits), port <= 65_535
    else { return nil }
    let host = colon.map { text[..<$0] } ?? ""
    if host.isEmpty || host == "localhost" {
      self.init(host: "127.0.0.1", port: port)
    } else if host.hasPrefix("["), host.hasSuffix("]"),
      Self.bytes(of: String(host.dropFirst().dropLast()), AF_INET6) != nil
    {
      self.init(host: String(host.dropFirst().dropLast()), port: port)
    } else if Self.bytes(of: String(host), AF_INET) != nil {
      self.init(host: String(host), port: port)
    } else {
      return nil
    }
  }

  /// Whether only programs on this machine can connect.
  public var isLoopback: Bool {
    if let bytes = Self.bytes(of: host, AF_INET) { return bytes.first == 127 }
    return Self.bytes(of: host, AF_INET6) == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Returns whether a text is an IPv4 or IPv6 address without brackets.
  public static func isAddress(_ text: String) -> Bool {
    bytes(of: text, AF_INET) != nil || bytes(of: text, AF_INET6) != nil
  }

  /// The address as the settings write it.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  private static func bytes(of host: String, _ family: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: family == AF_INET ? 4 : 16)
    return inet_pton(family, host, &bytes) == 1 ? bytes : nil
  }
}
