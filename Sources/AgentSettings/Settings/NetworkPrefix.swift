internal import AgentText
internal import Glibc

/// A range of IP addresses, such as `10.0.0.0/8`, `2001:db8::/32`, or `127.0.0.1` alone.
public struct NetworkPrefix: Sendable, Hashable, CustomStringConvertible {
  /// The length of an IPv6 customer's network, in bits. A client with one address of it can use all
  /// 2^64 (RFC 4291, section 2.5.1).
  private static let customer = 64

  private let bytes: [UInt8]
  private let length: Int

  /// Reads an address, or an address, a slash and the number of its leading bits. Returns nil for
  /// anything else. Names aren't looked up.
  public init?(parsing text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let bytes = Self.bytes(of: String(first)) else { return nil }
    var length = bytes.count * 8
    if let bits = parts.dropFirst().first {
      guard let number = Int(bits), (0...length).contains(number),
        bits.utf8.allSatisfy(\.isASCIIDigit)
      else { return nil }
      length = number
    }
    self.init(bytes, length)
  }

  private init(_ bytes: [UInt8], _ length: Int) {
    self.bytes = bytes.enumerated().map { index, byte in
      let kept = min(max(length - index * 8, 0), 8)
      return kept == 8 ? byte : byte & ~(UInt8.max >> kept)
    }
    self.length = length
  }

  /// Returns whether an address is in the range, false for a text that isn't an address.
  public func contains(_ address: String) -> Bool {
    guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
    return NetworkPrefix(other, length).bytes == bytes
  }

  /// Returns the client that requests and attempts are counted by: an IPv4 address, the /64 of an
  /// IPv6 address, or any other text unchanged.
  public static func client(at address: String) -> String {
    guard let bytes = bytes(of: address) else { return address }
    if bytes.count == 4 { return text(bytes) }
    return NetworkPrefix(bytes, customer).description
  }

  /// Returns the canonical form of an address, nil for a text that isn't one. An IPv4 address that
  /// is written as IPv6 becomes IPv4.
  public static func canonical(_ address: String) -> String? { bytes(of: address).map(text) }

  /// The range as the settings write it.
  public var description: String {
    length == bytes.count * 8 ? Self.text(bytes) : "\(Self.text(bytes))/\(length)"
  }

  private static func text(_ bytes: [UInt8]) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(clamping: text.count)) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns 4 or 16 bytes. The interface behind `%` in an IPv6 address is ignored.
  private static func bytes(of text: String) -> [UInt8]? {
    var four = [UInt8](repeating: 0, count: 4)
    if inet_pton(AF_INET, text, &four) == 1 { return four }
    var all = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &all) == 1 else { return nil }
    let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
    return all.starts(with: mapped) ? Array(all.suffix(4)) : all
  }
}
