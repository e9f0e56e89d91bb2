import AgentJSON
import AgentModules

/// Reads `events`: the retention of the log, and the port.
extension SettingsReader {
  mutating func readEvents() -> EventSettings {
    var settings = EventSettings()
    settings.tcp = readPort(root["events"]?["tcp"], at: ["events", "tcp"])
    guard let values = root["events"]?["retention"] else { return settings }
    let path = ["events", "retention"]
    let general = readRetention(values, at: path)
    settings.retention.maxAgeDays = general.maxAgeDays ?? settings.retention.maxAgeDays
    settings.retention.maxEvents = general.maxEvents
    settings.retention.maxBytes = general.maxBytes ?? settings.retention.maxBytes
    if let total = readSize(values["max_total_bytes"], at: path + ["max_total_bytes"]) {
      settings.maxTotalBytes = total
    }
    for (type, limits) in values["types"]?.object ?? [:] {
      settings.types[type] = readRetention(limits, at: path + ["types", type])
    }
    return settings
  }

  private mutating func readRetention(
    _ value: JSONValue, at path: [String]
  ) -> EventSettings.Retention {
    EventSettings.Retention(
      maxAgeDays: value["max_age_days"]?.double, maxEvents: value["max_events"]?.int,
      maxBytes: readSize(value["max_bytes"], at: path + ["max_bytes"]))
  }

  private mutating func readPort(_ value: JSONValue?, at path: [String]) -> EventPortSettings? {
    guard let value, let text = value["listen"]?.string else { return nil }
    let place = path + ["listen"]
    guard let address = readListenAddress(text, at: place) else { return nil }
    var port = EventPortSettings(listen: address)
    port.allowsRemote = value["allow_remote"]?.bool ?? port.allowsRemote
    port.type = value["type"]?.string
    port.source = value["source"]?.string ?? port.source
    port.maxConnections = value["max_connections"]?.int ?? port.maxConnections
    port.maxLine = readSize(value["max_line"], at: path + ["max_line"]) ?? port.maxLine
    port.idleSeconds = value["idle_seconds"]?.int ?? port.idleSeconds
    if port.maxLine > Self.longestLine {
      add(
        "invalid_size", at: path + ["max_line"],
        message: "an event has at most 16 MiB; found \(value["max_line"]?.text() ?? "more").",
        expected: "at most \"16MB\"")
    }
    if !address.isLoopback, !port.allowsRemote {
      add(
        "not_loopback", at: place,
        message: "other machines can reach \(address.host), and this port has no authentication. "
          + "Use 127.0.0.1, or write \"allow_remote\": true beside it if you trust the network.",
        expected: "an address such as \"127.0.0.1:\(address.port)\"", found: "\"\(text)\"")
    }
    return port
  }

  /// Reads an address and reports an invalid one.
  mutating func readListenAddress(_ text: String, at place: [String]) -> ListenAddress? {
    if let address = ListenAddress(parsing: text) { return address }
    if !references.unresolved.contains(JSONPointer(tokens: place)) {
      add(
        "invalid_address", at: place,
        message: "expected an address of this machine and a port, such as \"127.0.0.1:17042\", "
          + "found \"\(text)\". Names aren't looked up; put an IPv6 address in brackets.",
        expected: "ADDRESS:PORT", found: "\"\(text)\"")
    }
    return nil
  }

  /// The maximum size of a frame to a worker, in bytes.
  private static let longestLine = 16 << 20
}
