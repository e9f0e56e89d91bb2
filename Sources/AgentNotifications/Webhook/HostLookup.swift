internal import Glibc

/// Asks the system for the addresses of a name.
enum HostLookup {
  /// The addresses that need no name server. An address written as a number stands for itself, and
  /// the names of /etc/hosts are in that file. Nil for other names.
  @Sendable
  static func known(_ host: String) -> [NetworkAddress]? {
    if let address = NetworkAddress(host) { return [address] }
    // `127.1` is an address, too.
    if case .success(let addresses) = resolve(host, flags: AI_NUMERICHOST) { return addresses }
    let addresses = HostsFile.system.addresses(of: host)
    return addresses.isEmpty ? nil : addresses
  }

  /// The addresses, in the order in which they are to be tried (RFC 6724). It waits for name
  /// servers for half a minute and longer, and can't be cancelled.
  @Sendable
  static func ask(_ host: String) -> LookupQueue.Found { resolve(host, flags: AI_ADDRCONFIG) }

  private static func resolve(_ host: String, flags: Int32) -> LookupQueue.Found {
    var hints = addrinfo()
    hints.ai_socktype = Int32(clamping: SOCK_STREAM.rawValue)
    hints.ai_flags = flags
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, nil, &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard status == 0 else {
      let reason = gai_strerror(status).map { String(cString: $0) } ?? "error \(status)"
      return .failure(DeliveryFailure("\(host) can't be looked up: \(reason)."))
    }
    var addresses: [NetworkAddress] = []
    var next = list
    while let entry = next?.pointee {
      if let address = address(entry) { addresses.append(address) }
      next = entry.ai_next
    }
    return .success(addresses)
  }

  private static func address(_ entry: addrinfo) -> NetworkAddress? {
    guard let address = entry.ai_addr else { return nil }
    switch entry.ai_family {
    case AF_INET:
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin_addr) { NetworkAddress(bytes: Array($0)) }
      }
    case AF_INET6:
      return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin6_addr) { NetworkAddress(bytes: Array($0)) }
      }
    default: return nil
    }
  }
}
