internal import AgentModules

/// The names in a file such as /etc/hosts (hosts(5)).
struct HostsFile: Sendable {
  /// A longer file is read by the system only, on a thread that may wait.
  private static let limit = 256 << 10

  private let text: [UInt8]

  /// The file of this machine. It is read each time, because it may change while the host runs.
  static var system: HostsFile {
    HostsFile((try? FileSystem.read("/etc/hosts", limit: limit)) ?? [])
  }

  init(_ text: [UInt8]) { self.text = text }

  /// The addresses of a name, in the order of the lines. Empty when no line has the name.
  func addresses(of host: String) -> [NetworkAddress] {
    // `a.example.` and `a.example` are the same name.
    let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
    return text.split(separator: UInt8(ascii: "\n")).compactMap { line -> NetworkAddress? in
      let content = String(decoding: line.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
      let words = content.split(whereSeparator: \.isWhitespace)
      guard let first = words.first,
        words.dropFirst().contains(where: { $0.lowercased() == name })
      else { return nil }
      return NetworkAddress(String(first))
    }
  }
}
