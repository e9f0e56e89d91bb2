import AgentJSON
import AgentModules

/// Reads the host's own sections. The schema has reported values of the wrong type. This code
/// treats them as absent.
extension SettingsReader {
  func readIdentity() -> AgentSettings.Identity {
    AgentSettings.Identity(
      name: root["agent"]?["name"]?.string ?? folder.lastName,
      description: root["agent"]?["description"]?.string ?? "")
  }

  mutating func readSupervision() -> SupervisionSettings {
    var settings = SupervisionSettings()
    guard let values = root["supervision"] else { return settings }
    func set<T>(_ path: WritableKeyPath<SupervisionSettings, T>, _ value: T?) {
      if let value { settings[keyPath: path] = value }
    }
    set(\.healthyAfter, values["healthy_after"]?.double)
    set(\.maxRestarts, values["max_restarts"]?.int)
    set(\.within, values["within"]?.double)
    set(\.backoff.initialMs, values["backoff"]?["initial_ms"]?.int)
    set(\.backoff.maxMs, values["backoff"]?["max_ms"]?.int)
    set(\.pingIntervalMs, values["ping_interval_ms"]?.int)
    set(\.pingTimeoutMs, values["ping_timeout_ms"]?.int)
    set(\.readyTimeoutMs, values["ready_timeout_ms"]?.int)
    set(\.stopTimeoutMs, values["stop_timeout_ms"]?.int)
    set(\.killTimeoutMs, values["kill_timeout_ms"]?.int)
    set(\.invokeTimeoutMs, values["invoke_timeout_ms"]?.int)
    set(\.safeModeAfter, values["safe_mode_after"]?.int)
    if settings.backoff.initialMs > settings.backoff.maxMs {
      add(
        "invalid_value", at: ["supervision", "backoff"],
        message: "the first wait (initial_ms: \(settings.backoff.initialMs)) is longer than the"
          + " longest (max_ms: \(settings.backoff.maxMs)).",
        expected: "initial_ms at most max_ms")
    }
    return settings
  }

  mutating func readLogging() -> LoggingSettings {
    var settings = LoggingSettings()
    guard let values = root["logging"] else { return settings }
    settings.level = choice(values["level"]) ?? settings.level
    settings.format = choice(values["format"]) ?? settings.format
    settings.file = values["file"]?.string.map { FileSystem.join(folder.path, $0) }
    settings.forward = values["forward"]?.string
    let rotation = values["rotation"]
    let path = ["logging", "rotation"]
    if let bytes = readSize(rotation?["max_bytes"], at: path + ["max_bytes"]) {
      settings.rotation.maxBytes = bytes
    }
    settings.rotation.maxAgeDays = rotation?["max_age_days"]?.double ?? settings.rotation.maxAgeDays
    settings.rotation.keep = rotation?["keep"]?.int ?? settings.rotation.keep
    return settings
  }

  /// Returns a value of a fixed choice, nil for any other value.
  func choice<T: RawRepresentable<String>>(_ value: JSONValue?) -> T? {
    value?.string.flatMap(T.init(rawValue:))
  }

  /// Reads variables. Problems are reported for `path`. A nil path means that they were reported
  /// before.
  mutating func readEnvironment(_ value: JSONValue?, at path: [String]?) -> [String: String] {
    var table: [String: String] = [:]
    for (name, text) in value?.object ?? [:] {
      table[name] = text.string
      guard let path else { continue }
      if name.hasPrefix("AGENT_") {
        add(
          "reserved_variable", at: path, key: name,
          message: "variables that begin with AGENT_ belong to the host. Choose another name.",
          expected: "another name", found: "\"\(name)\"")
      }
      if text.string?.utf8.contains(0) == true {
        add(
          "invalid_value", at: path + [name],
          message: "a variable can't hold the character U+0000. Remove it.")
      }
    }
    return table
  }

  /// Reads limits. Problems are reported for `path`. A nil path means that they were reported
  /// before.
  mutating func readLimits(_ value: JSONValue?, at path: [String]?) -> WorkerLimits {
    WorkerLimits(
      memory: readSize(value?["memory"], at: path.map { $0 + ["memory"] }),
      cpu: value?["cpu"]?.double, files: value?["files"]?.int,
      processes: value?["processes"]?.int)
  }

  mutating func readSize(_ value: JSONValue?, at path: [String]?) -> Int? {
    guard let value, value.kind == .number || value.kind == .string else { return nil }
    if let size = ByteSize.bytes(value) { return size }
    if let path, !references.unresolved.contains(JSONPointer(tokens: path)) {
      add(
        "invalid_size", at: path,
        message: "expected bytes, or a size such as \"256MB\", found \(value.text()).",
        expected: "bytes, or a size such as \"256MB\"", found: value.text())
    }
    return nil
  }
}

/// Reads sizes such as `64M`. K, M and G count by 1024.
enum ByteSize {
  /// Returns the number of bytes, nil for a value that isn't a positive size.
  static func bytes(_ value: JSONValue) -> Int? {
    if let bytes = value.int { return bytes > 0 ? bytes : nil }
    guard let text = value.string else { return nil }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.uppercased()
    guard let number = Int(digits), number > 0, let factor = factors[unit] else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? nil : bytes
  }

  private static let factors: [String: Int] = [
    "": 1, "B": 1, "K": 1 << 10, "KB": 1 << 10, "KIB": 1 << 10, "M": 1 << 20, "MB": 1 << 20,
    "MIB": 1 << 20, "G": 1 << 30, "GB": 1 << 30, "GIB": 1 << 30, "T": 1 << 40, "TB": 1 << 40,
    "TIB": 1 << 40,
  ]
}
