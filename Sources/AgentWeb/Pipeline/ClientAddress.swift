internal import AgentSettings
internal import HTTPTypes
internal import Hummingbird

/// Finds the address of a request's client.
enum ClientAddress {
  private static let forwarded = HTTPField.Name("X-Forwarded-For")

  /// Returns the address of the connection, or behind a trusted proxy the address that the proxy
  /// names.
  ///
  /// Each proxy appends its client's address to `X-Forwarded-For`. The client may have invented the
  /// entries before that. The list is therefore read from its end, and the first address that isn't
  /// a trusted proxy is the client's. An entry that isn't an address ends the search.
  static func of(_ headers: HTTPFields, from peer: String, trusting proxies: [NetworkPrefix])
    -> String
  {
    guard !proxies.isEmpty, proxies.contains(where: { $0.contains(peer) }), let forwarded else {
      return peer
    }
    var client = peer
    let entries = headers[values: forwarded].flatMap { $0.split(separator: ",") }
    for entry in entries.reversed() {
      let text = String(entry.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
      guard let address = NetworkPrefix.canonical(text) else { return client }
      client = address
      if !proxies.contains(where: { $0.contains(address) }) { return client }
    }
    return client
  }
}
