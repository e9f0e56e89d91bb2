import AgentJSON
internal import AgentText

extension SettingsReader {
  mutating func readTraces(of agent: AgentSettings.Identity) -> TraceSettings? {
    guard let values = root["traces"], let endpoint = values["endpoint"]?.string,
      !endpoint.isEmpty
    else { return nil }
    if !Self.isAddress(endpoint), !isUnresolved(["traces", "endpoint"]) {
      add(
        "invalid_address", at: ["traces", "endpoint"],
        message: "expected the address of a collector, found \"\(endpoint)\". Write it like"
          + " \"http://127.0.0.1:4318\".",
        expected: "http:// or https://, a host and perhaps a port", found: "\"\(endpoint)\"")
    }
    var settings = TraceSettings(
      endpoint: endpoint, serviceName: values["service_name"]?.string ?? agent.name)
    settings.sample = values["sample"]?.double ?? settings.sample
    for (name, value) in values["headers"]?.object ?? [:] {
      settings.headers[name] = value.string
      let isField =
        !name.isEmpty && name.utf8.allSatisfy(Self.isTokenByte)
        && value.string?.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } ?? true
      guard !isField else { continue }
      add(
        "invalid_value", at: ["traces", "headers"], key: name,
        message: "this can't be sent as a header field. Use letters, digits and - in the name, and"
          + " one line of text.",
        expected: "a header field")
    }
    return settings
  }

  private func isUnresolved(_ path: [String]) -> Bool {
    references.unresolved.contains(JSONPointer(tokens: path))
  }

  private static func isAddress(_ text: String) -> Bool {
    guard let scheme = ["http://", "https://"].first(where: { text.hasPrefix($0) }) else {
      return false
    }
    let rest = text.dropFirst(scheme.count)
    return rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } && !rest.contains { "?#@".contains($0) }
      && !(rest.prefix { $0 != "/" }).isEmpty
  }

  /// Returns whether a byte may be in a field name (RFC 9110, 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
