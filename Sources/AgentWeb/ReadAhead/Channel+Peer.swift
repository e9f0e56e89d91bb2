internal import AgentSettings
internal import NIOCore

extension Channel {
  /// The client's address and port. Nil for a client without one, and after the end of the
  /// connection.
  var peer: String? {
    remoteAddress.flatMap { address in
      address.ipAddress.map { ListenAddress(host: $0, port: address.port ?? 0).description }
    }
  }
}
