internal import AgentSettings
internal import HTTPTypes
internal import Hummingbird

/// Where a request comes from.
enum ClientAddress {
  private static let forwarded = HTTPField.Name("X-Forwarded-For")

  /// The address of the connection; behind a trusted proxy the one that the proxy says.
  ///
  /// Each proxy adds whom it heard at the end of `X-Forwarded-For`, and what stands before may have
  /// been made up by the client. So the list is read from its end, past the trusted proxies, and the
  /// first address that isn't one of them is the client's. What isn't an address ends the search.
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
