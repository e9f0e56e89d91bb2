import AgentJSON
import AgentModules

/// Reads `http`: the API's port.
extension SettingsReader {
  mutating func readHTTP() -> HTTPSettings {
    var http = HTTPSettings()
    guard let values = root["http"] else { return http }
    http.isEnabled = values["enabled"]?.bool ?? http.isEnabled
    http.baseURL = values["base_url"]?.string.map(Self.withoutSlash)
    http.allowedHosts = texts(values["allowed_hosts"])
    http.corsOrigins = texts(values["cors_origins"])
    http.trustedProxies = readProxies(values["trusted_proxies"])
    http.allowsLocalWithoutToken = values["allow_local_without_token"]?.bool ?? false
    http.hasAccessLog = values["access_log"]?.bool ?? true
    if let certificate = values["tls"]?["certificate"]?.string,
      let key = values["tls"]?["key"]?.string
    {
      http.tls = HTTPSettings.TLS(
        certificate: FileSystem.join(folder.path, certificate),
        key: FileSystem.join(folder.path, key))
      for (name, text) in [("certificate", certificate), ("key", key)]
      where SecretParts.isKey(text) {
        add(
          "invalid_value", at: ["http", "tls", name],
          message: "this is the content of the file. Write it into a file that only you can read "
            + "(chmod 600), and give the file's name here.",
          expected: "the name of a PEM file", found: "PEM")
      }
    }
    readLimits(values["limits"], into: &http.limits)
    if let text = values["listen"]?.string { readAddress(text, into: &http) }
    if http.allowsLocalWithoutToken, !http.trustedProxies.isEmpty {
      add(
        "not_loopback", at: ["http", "allow_local_without_token"],
        message: "clients of a trusted proxy connect from its address, so that they count as "
          + "programs on this machine. Remove this, or \"trusted_proxies\".")
    }
    return http
  }

  private mutating func readLimits(_ values: JSONValue?, into limits: inout HTTPSettings.Limits) {
    guard let values else { return }
    limits.body = readSize(values["body"], at: ["http", "limits", "body"]) ?? limits.body
    limits.depth = values["depth"]?.int ?? limits.depth
    limits.idleSeconds = values["idle_seconds"]?.double ?? limits.idleSeconds
    limits.connections = values["connections"]?.int ?? limits.connections
    limits.connectionsPerAddress =
      values["connections_per_address"]?.int ?? limits.connectionsPerAddress
    limits.streams = values["streams"]?.int ?? limits.streams
    limits.streamSeconds = values["stream_seconds"]?.double ?? limits.streamSeconds
    limits.heartbeatSeconds = values["heartbeat_seconds"]?.double ?? limits.heartbeatSeconds
    limits.requestsPerSecond = values["requests_per_second"]?.int ?? limits.requestsPerSecond
    limits.burst = values["burst"]?.int ?? limits.burst
  }

  private mutating func readProxies(_ value: JSONValue?) -> [NetworkPrefix] {
    var proxies: [NetworkPrefix] = []
    for (index, text) in texts(value).enumerated() {
      if let proxy = NetworkPrefix(parsing: text) {
        proxies.append(proxy)
      } else {
        add(
          "invalid_value", at: ["http", "trusted_proxies", String(index)],
          message: "this isn't an address. Write the address that the proxy connects from, or the "
            + "range that it is in; names aren't looked up.",
          expected: "an address such as \"127.0.0.1\", or a range such as \"10.0.0.0/8\"",
          found: "\"\(text)\"")
      }
    }
    return proxies
  }

  private mutating func readAddress(_ text: String, into http: inout HTTPSettings) {
    let place = ["http", "listen"]
    guard let address = readListenAddress(text, at: place) else { return }
    http.listen = address
    http.isUsualAddress = address == HTTPSettings.usualAddress
    guard !address.isLoopback else { return }
    if http.allowsLocalWithoutToken {
      add(
        "not_loopback", at: ["http", "allow_local_without_token"],
        message: "other machines reach \(address.host). Remove this, and create tokens "
          + "instead: agent token create NAME --scope read.")
    }
    guard http.tls == nil else { return }
    add(
      "not_loopback", at: place,
      message: "other machines reach \(address.host), and without TLS the network can read "
        + "the tokens. Give \"tls\" a certificate and a key, or use 127.0.0.1 and a proxy.",
      expected: "\"tls\", or an address such as \"127.0.0.1:\(address.port)\"",
      found: "\"\(text)\"")
  }

  private func texts(_ value: JSONValue?) -> [String] {
    (value?.array ?? []).compactMap(\.string)
  }

  private static func withoutSlash(_ url: String) -> String {
    var url = url
    while url.hasSuffix("/") { url.removeLast() }
    return url
  }
}
