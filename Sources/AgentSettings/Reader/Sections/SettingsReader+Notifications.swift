import AgentJSON
import AgentModules
import AgentSchedules
import AgentText
import JSONSchema

/// Reads `notifications`. The schema has reported values of the wrong type. The marks of the query
/// language are checked elsewhere. This code checks the rules between values.
extension SettingsReader {
  private static let path = ["notifications"]

  mutating func readNotifications(
    _ modules: [ModuleSettings], _ node: JSONNode
  ) -> NotificationSettings {
    var settings = NotificationSettings()
    guard let values = root["notifications"]?.object else { return settings }
    if let schema = Self.schema { checkQueries(node, against: schema, at: []) }
    settings.keepDays = values["keep_days"]?.double ?? settings.keepDays
    let notifiers = values["notifiers"]?.object ?? [:]
    settings.notifiers = notifiers.sorted { $0.key < $1.key }.compactMap {
      readNotifier($0.key, value: $0.value, modules: modules)
    }
    let known = settings.notifiers.map(\.name) + ["log", "console"] + notifiers.keys
    for (index, value) in (values["rules"]?.array ?? []).enumerated() {
      let place = Self.path + ["rules", String(index)]
      guard let rule = readRule(value, at: place) else { continue }
      if settings.rules.contains(where: { $0.name == rule.name }) {
        add(
          "duplicate_name", at: place + ["name"],
          message: "there is a rule \"\(rule.name)\" already. Each rule needs its own name.",
          expected: "another name", found: "\"\(rule.name)\"")
      }
      settings.rules.append(rule)
      for (index, name) in rule.to.enumerated() {
        let place = place + ["to", String(index)]
        if let found = resolve(notifier: name, among: known, modules, at: place) {
          if !settings.notifiers.contains(where: { $0.name == found.name }) {
            settings.notifiers.append(found)
          }
        }
      }
    }
    return settings
  }

  // MARK: Rules

  private mutating func readRule(
    _ value: JSONValue, at path: [String]
  ) -> NotificationRuleSettings? {
    guard let name = value["name"]?.string, let when = trigger(value["when"]) else { return nil }
    let template = value["template"]
    return NotificationRuleSettings(
      name: name, when: when, until: trigger(value["until"]),
      severity: severity(value["severity"]),
      to: (value["to"]?.array ?? []).compactMap(\.string).map(Self.plainName),
      quietHours: readQuietHours(value["quiet_hours"], at: path + ["quiet_hours"]),
      repeatMs: Self.milliseconds(value["repeat"]).flatMap { $0 > 0 ? $0 : nil },
      group: value["group"]?.array?.compactMap(\.string) ?? ["source", "key"],
      groupWaitMs: Self.milliseconds(value["group_wait"]) ?? 0,
      title: readTemplate(template?["title"], at: path + ["template", "title"]),
      text: readTemplate(template?["text"], at: path + ["template", "text"]))
  }

  private func trigger(_ value: JSONValue?) -> NotificationRuleSettings.Trigger? {
    if let filter = value?["event"]?.string { return .event(filter) }
    return value?["query"]?.string.map { .query($0) }
  }

  private func severity(_ value: JSONValue?) -> NotificationRuleSettings.Severity {
    var severity = NotificationRuleSettings.Severity()
    severity.least = value?.string ?? value?["least"]?.string ?? severity.least
    severity.field = value?["field"]?.string ?? severity.field
    severity.fallback = value?["default"]?.string ?? severity.fallback
    for (text, meaning) in value?["map"]?.object ?? [:] { severity.map[text] = meaning.string }
    return severity
  }

  private mutating func readTemplate(_ value: JSONValue?, at path: [String]) -> String? {
    guard let text = value?.string else { return nil }
    do {
      _ = try MessageTemplate(parsing: text)
    } catch {
      add("invalid_template", at: path, message: error.message)
    }
    return text
  }

  private mutating func readQuietHours(
    _ value: JSONValue?, at path: [String]
  ) -> NotificationRuleSettings.QuietHours? {
    guard let from = Self.minute(value?["from"]), let to = Self.minute(value?["to"]) else {
      return nil
    }
    let zone = value?["time_zone"]?.string ?? "UTC"
    if from == to {
      add(
        "invalid_value", at: path,
        message:
          "the quiet hours begin and end at the same time, so there are none. Change \"to\", or "
          + "remove them.")
    }
    if (try? Self.zones.zone(named: zone)) == nil {
      add(
        "unknown_time_zone", at: path + ["time_zone"],
        message: "this machine knows no time zone \"\(zone)\". The names are those of the time "
          + "zone database, such as \"Europe/Berlin\"; the package tzdata has it.",
        expected: "a time zone", found: "\"\(zone)\"")
    }
    return .init(from: from, to: to, timeZone: zone, except: value?["except"]?.string)
  }

  private static func minute(_ value: JSONValue?) -> Int? {
    let parts = value?.string?.split(separator: ":").compactMap { Int($0) } ?? []
    guard parts.count == 2, let hour = parts.first, let minute = parts.last,
      (0..<24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    return hour * 60 + minute
  }

  /// Returns the milliseconds of a length of time such as `30m`. The schema has checked its form.
  static func milliseconds(_ value: JSONValue?) -> Int64? {
    guard let text = value?.string else { return nil }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [String: Int64] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let number = Int64(digits), number < 1 << 31,
      let unit = units[String(text.dropFirst(digits.count))]
    else { return nil }
    return number &* unit
  }

  // MARK: Notifiers

  private mutating func readNotifier(
    _ name: String, value: JSONValue, modules: [ModuleSettings]
  ) -> NotifierSettings? {
    let place = Self.path + ["notifiers", name]
    if name == "log" || name == "console" {
      add(
        "reserved_name", at: Self.path + ["notifiers"], key: name,
        message: "\"\(name)\" is built in. Choose another name.", expected: "another name",
        found: "\"\(name)\"")
      return nil
    }
    guard let kind = readKind(value, modules, at: place) else { return nil }
    var notifier = NotifierSettings(name: name, kind: kind)
    func set(_ path: WritableKeyPath<NotifierSettings, Int64>, _ value: JSONValue?) {
      if let milliseconds = Self.milliseconds(value) {
        notifier[keyPath: path] = max(1, milliseconds)
      }
    }
    set(\.timeoutMs, value["timeout"])
    set(\.initialBackoffMs, value["backoff"]?["initial"])
    set(\.maxBackoffMs, value["backoff"]?["max"])
    notifier.maxBackoffMs = max(notifier.initialBackoffMs, notifier.maxBackoffMs)
    notifier.attempts = value["attempts"]?.int ?? notifier.attempts
    notifier.concurrency = value["concurrency"]?.int ?? notifier.concurrency
    return notifier
  }

  private mutating func readKind(
    _ value: JSONValue, _ modules: [ModuleSettings], at place: [String]
  ) -> NotifierSettings.Kind? {
    switch value["type"]?.string {
    case "webhook":
      guard let url = value["url"]?.string else { return nil }
      checkURL(url, at: place + ["url"])
      return .webhook(
        .init(
          url: url, secret: value["secret"]?.string,
          headers: readEnvironment(value["headers"], at: nil),
          allowsPrivate: value["allow_private"]?.bool ?? false,
          redirects: value["redirects"]?.int ?? 0,
          authorities: value["ca_file"]?.string.map { FileSystem.join(folder.path, $0) }))
    case "command":
      guard let words = value["command"]?.array?.compactMap(\.string), !words.isEmpty else {
        return nil
      }
      return .command(
        words,
        environment: readEnvironment(value["environment"], at: place + ["environment"]))
    case "module":
      guard let name = value["notifier"]?.string else { return nil }
      let found = offered(name, modules, at: place + ["notifier"])
      guard case .module(let module, let notifier, _)? = found?.kind else { return nil }
      return .module(module, notifier: notifier, recipient: value["recipient"]?.string)
    default: return nil
    }
  }

  mutating func checkURL(_ url: String, at path: [String]) {
    guard !references.unresolved.contains(JSONPointer(tokens: path)) else { return }
    let host = ["http://", "https://"].first(where: url.hasPrefix).map {
      url.dropFirst($0.count).prefix { !"/?#".contains($0) }
    }
    if host?.contains("@") == true {
      return add(
        "invalid_url", at: path,
        message: "a name or a password before the host is never sent. Put it into \"headers\".",
        expected: "http://… or https://…, without \"@\" before the host")
    }
    if let host, !host.isEmpty, !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) { return }
    let isSecret = references.secretPlaces.contains(JSONPointer(tokens: path))
    add(
      "invalid_url", at: path,
      message: "expected an address such as \"https://example.org/hook\""
        + (isSecret ? "." : ", found \"\(url)\"."),
      expected: "http://… or https://…")
  }

  /// Returns the name without its kind, such as `ops` for `webhook:ops`.
  private static func plainName(_ name: String) -> String {
    for prefix in ["webhook:", "command:", "module:"] where name.hasPrefix(prefix) {
      return String(name.dropFirst(prefix.count))
    }
    return name
  }

  /// Returns the module's notifier that a rule names. Nil means that the name is known already, or
  /// unknown.
  private mutating func resolve(
    notifier name: String, among known: [String], _ modules: [ModuleSettings], at place: [String]
  ) -> NotifierSettings? {
    if known.contains(name) { return nil }
    if name.contains("/") { return offered(name, modules, at: place) }
    let nearest = NameSuggestion.of(name, among: known)
    add(
      "unknown_notifier", at: place,
      message: "there is no notifier \"\(name)\"."
        + NameSuggestion.question(
          nearest,
          otherwise: " Name it under notifications.notifiers, or write \"log\" or \"console\"."),
      expected: known.sorted().joined(separator: ", "), found: "\"\(name)\"",
      suggestion: nearest)
    return nil
  }

  /// Returns the notifier that a module offers by this name.
  private mutating func offered(
    _ name: String, _ modules: [ModuleSettings], at place: [String]
  ) -> NotifierSettings? {
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    let offers = modules.flatMap { module in
      module.contributions.filter { $0.contribution.kind == .notifier }.map {
        (name: "\(module.manifest.name)/\($0.contribution.name)", state: $0)
      }
    }
    guard let offer = offers.first(where: { $0.name == name }), parts.count == 2,
      let module = parts.first, let notifier = parts.last
    else {
      if catalog.isBroken(parts.first ?? "") { return nil }
      let nearest = NameSuggestion.of(name, among: offers.map(\.name))
      add(
        "unknown_notifier", at: place,
        message: "no enabled module offers a notifier \"\(name)\"."
          + NameSuggestion.question(nearest),
        expected: "MODULE/NOTIFIER", found: "\"\(name)\"", suggestion: nearest)
      return nil
    }
    guard offer.state.isEnabled else {
      add(
        "notifier_not_enabled", at: place,
        message: "\"\(name)\" isn't enabled: see modules.\(module).notifiers.\(notifier).",
        expected: "an enabled notifier", found: "\"\(name)\"")
      return nil
    }
    return NotifierSettings(
      name: name, kind: .module(module, notifier: notifier, recipient: nil))
  }
}
