internal import Glibc
internal import NIOPosix

/// Asks the system for the addresses of a name.
enum HostLookup {
  /// The addresses, in the order in which they are to be tried (RFC 6724). An address written as a
  /// number stands for itself.
  static func addresses(of host: String) async throws(DeliveryFailure) -> [NetworkAddress] {
    if let address = NetworkAddress(host) { return [address] }
    let result: Result<[NetworkAddress], DeliveryFailure>
    do {
      // getaddrinfo waits for the network: not on a thread that others need.
      result = try await NIOThreadPool.singleton.runIfActive { ask(host) }
    } catch {
      throw DeliveryFailure("\(host) can't be looked up: \(error)")
    }
    return try result.get()
  }

  private static func ask(_ host: String) -> Result<[NetworkAddress], DeliveryFailure> {
    var hints = addrinfo()
    hints.ai_socktype = Int32(clamping: SOCK_STREAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG
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
