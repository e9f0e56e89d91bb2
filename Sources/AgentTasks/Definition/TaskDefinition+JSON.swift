public import AgentJSON
internal import AgentSystem

extension TaskDefinition {
  /// The stored form. Members with their default are omitted.
  public var json: JSONObject {
    var object = JSONObject()
    func put(_ key: String, _ value: JSONValue?) { if let value { object[key] = value } }
    put("description", description.isEmpty ? nil : .string(description))
    put("input", input.isNull ? nil : input)
    put("run_command", runCommand.map(JSONValue.string))
    put("shell", usesShell ? true : nil)
    put("secrets", Self.list(secrets))
    put("tags", Self.list(tags))
    put("subsystem", subsystem.map(JSONValue.string))
    put("metadata", metadata.isEmpty ? nil : .object(metadata))
    // A default that was given explicitly is stored. Otherwise, `complete` would replace it by the
    // default of the type.
    put("retry", retry == TaskRetry() && !saysRetry ? nil : retry.json)
    put("timeouts", timeouts.json)
    put("concurrency_key", concurrencyKey.map(JSONValue.string))
    put("concurrency_limit", concurrencyLimit.map { JSONValue($0) })
    put("rate", rate.map { ["count": JSONValue($0.count), "period_ms": JSONValue($0.period)] })
    put("bot", bot.map(JSONValue.string))
    put("bot_type", botType.map(JSONValue.string))
    put("capability", capability.map(JSONValue.string))
    put("escalation", escalation.isEmpty ? nil : .array(escalation))
    put("created_by", createdBy.map(JSONValue.string))
    return object
  }

  /// Reads a stored definition or the body of a request. A member of the wrong type counts as
  /// absent. Numbers are clamped to ``TaskBounds``.
  public init(json object: JSONObject) {
    for (key, value) in object {
      switch key {
      case "description": description = value.string ?? ""
      case "input": input = value
      case "run_command": runCommand = value.string
      case "shell": usesShell = value.bool ?? false
      case "secrets": secrets = value.strings
      case "tags": tags = value.strings
      case "subsystem": subsystem = value.string
      case "metadata": metadata = value.object ?? JSONObject()
      case "retry": (retry, saysRetry) = (TaskRetry(json: value), true)
      case "timeouts": timeouts = TaskTimeouts(json: value)
      case "concurrency_key": concurrencyKey = value.string
      case "concurrency_limit":
        concurrencyLimit = value.int64?.clamped(to: TaskBounds.concurrency)
      case "rate": rate = TaskRate(json: value)
      case "bot": bot = value.string
      case "bot_type": botType = value.string
      case "capability": capability = value.string
      case "escalation": escalation = value.array ?? []
      case "created_by": createdBy = value.string
      default: break
      }
    }
  }

  package init(stored bytes: [UInt8]) {
    self.init(json: JSONValue(stored: bytes)?.object ?? JSONObject())
  }

  var stored: [UInt8] { JSONValue.object(json).bytes() }

  /// Returns whether stored bytes can be parsed. They can't if they are nested too deeply.
  static func isReadable(_ stored: [UInt8]) -> Bool {
    // The limit of the depth is 512, and each level needs a byte. A shorter text can't be too deep,
    // so most definitions aren't parsed here.
    stored.count < 512 || JSONValue(stored: stored)?.object != nil
  }

  private static func list(_ words: [String]) -> JSONValue? {
    words.isEmpty ? nil : .array(words.map(JSONValue.string))
  }
}

extension TaskRetry {
  /// Reads `{attempts, initial_ms, factor, max_ms, jitter}`. Absent members have their defaults.
  public init(json: JSONValue) {
    attempts = json["attempts"]?.int64?.clamped(to: TaskBounds.attempts) ?? attempts
    initial = json["initial_ms"]?.int64?.clamped(to: TaskBounds.duration) ?? initial
    factor = json["factor"]?.double?.clamped(to: TaskBounds.factor) ?? factor
    most = json["max_ms"]?.int64?.clamped(to: TaskBounds.duration) ?? most
    jitter = json["jitter"]?.double?.clamped(to: TaskBounds.jitter) ?? jitter
  }

  var json: JSONValue {
    [
      "attempts": JSONValue(attempts), "initial_ms": JSONValue(initial),
      "factor": JSONValue(factor), "max_ms": JSONValue(most), "jitter": JSONValue(jitter),
    ]
  }
}

extension TaskTimeouts {
  /// Reads `{queued_ms, run_ms, total_ms, heartbeat_ms}`.
  public init(json: JSONValue) {
    queued = json["queued_ms"]?.int64?.clamped(to: TaskBounds.duration)
    run = json["run_ms"]?.int64?.clamped(to: TaskBounds.duration)
    total = json["total_ms"]?.int64?.clamped(to: TaskBounds.duration)
    heartbeat = json["heartbeat_ms"]?.int64?.clamped(to: TaskBounds.duration)
  }

  var json: JSONValue? {
    if isEmpty { return nil }
    var object = JSONObject()
    for (key, value) in [
      ("queued_ms", queued), ("run_ms", run), ("total_ms", total), ("heartbeat_ms", heartbeat),
    ] {
      if let value { object[key] = JSONValue(value) }
    }
    return .object(object)
  }
}

extension TaskRate {
  init?(json: JSONValue) {
    guard let count = json["count"]?.int64, let period = json["period_ms"]?.int64 else {
      return nil
    }
    self.init(clamping: count, period: period)
  }
}
