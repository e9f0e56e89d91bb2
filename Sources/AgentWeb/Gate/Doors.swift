internal import AgentAccess
internal import AgentSettings
internal import Glibc

/// Where requests come in, and who is believed there.
enum Door: Sendable {
  /// The agent's Unix socket: the peer was checked when it connected.
  case socket
  /// A port: everybody says who they are.
  case port(HTTPSettings)

  /// Who somebody on the socket is: the user who runs the host.
  static let local = Principal(kind: .local, name: "\(getuid())", scopes: [.administer])

  /// In ids of requests, so that those of two doors differ.
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
