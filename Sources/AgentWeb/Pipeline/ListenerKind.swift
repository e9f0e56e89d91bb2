internal import AgentAccess
internal import AgentSettings
internal import Glibc

/// The kinds of listeners, and how each identifies the client.
enum ListenerKind: Sendable {
  /// The agent's Unix socket. The peer was checked when it connected.
  case socket
  /// A port. Every request has a token that identifies its principal.
  case port(HTTPSettings)

  /// The principal of requests on the socket: the user of the host's process.
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
