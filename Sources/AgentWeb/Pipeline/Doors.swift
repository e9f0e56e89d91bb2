internal import AgentAccess
internal import AgentSettings
internal import Glibc

/// The listeners that requests come in by, and how each identifies the client.
enum Door: Sendable {
  /// The agent's Unix socket: the peer was checked when it connected.
  case socket
  /// A port, on which every request names its principal by a token.
  case port(HTTPSettings)

  /// The principal of requests on the socket: the user who runs the host.
  static let local = Principal(kind: .local, name: "\(getuid())", scopes: [.administer])

  /// The letter of this listener in request ids, so that the ids of two listeners differ.
  var letter: String {
    switch self {
    case .socket: "-s"
    case .port: "-p"
    }
  }

  var settings: HTTPSettings? {
    if case .port(let settings) = self { settings } else { nil }
  }
}
