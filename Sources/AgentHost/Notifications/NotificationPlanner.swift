internal import AgentJSON
internal import AgentLogging
internal import AgentNotifications
internal import AgentProcesses
internal import AgentQueries
internal import AgentSchedules
internal import AgentSettings
internal import AgentSystem
internal import AgentWorkers

/// Makes the plan of the notification center from the settings.
struct NotificationPlanner {
  let settings: AgentSettings
  let log: LogHub
  let printsToTerminal: Bool
  /// Where people reach the API.
  let baseURL: @Sendable () -> String?
  let processes: @Sendable () -> ProcessManager?

  func plan() -> NotificationPlan {
    var plan = NotificationPlan()
    plan.agent = settings.agent.name
    plan.keep = Int64(clamping: min(settings.notifications.keepDays, 36_500) * 86_400_000)
    plan.redact = { [redactor = settings.redactor] in redactor.redact($0) }
    // Asked for each notice: the port may open, or move, after the plan was made.
    plan.link = { [baseURL] alert in baseURL().map { "\($0)/alerts/\(alert)" } }
    plan.rules = settings.notifications.rules.compactMap { settings in
      do {
        return try rule(settings)
      } catch {
        // `agent validate` has said so; a rule that can't be read mustn't end the others.
        log.log(.error, "The rule \(settings.name) can't be used. \(error)")
        return nil
      }
    }
    plan.notifiers = [
      "log": NotifierEntry(type: "log", notifier: LogNotifier(log: log)),
      "console": NotifierEntry(
        type: "console", notifier: ConsoleNotifier(printsToTerminal: printsToTerminal)),
    ]
    for notifier in settings.notifications.notifiers {
      plan.notifiers[notifier.name] = entry(notifier)
    }
    return plan
  }

  // MARK: Rules

  private func rule(_ settings: NotificationRuleSettings) throws -> AlertRule {
    var rule = AlertRule(name: settings.name, when: try trigger(settings.when))
    rule.until = try settings.until.map(trigger) ?? Self.pair(of: settings.when)
    rule.severity = severity(settings.severity)
    rule.notifiers = settings.to
    rule.group = settings.group
    rule.groupWait = settings.groupWaitMs
    rule.repeatAfter = settings.repeatMs
    rule.quietHours = try settings.quietHours.map(quietHours)
    rule.title = try settings.title.map { try .init(parsing: $0) }
    rule.text = try settings.text.map { try .init(parsing: $0) }
    return rule
  }

  private func trigger(_ settings: NotificationRuleSettings.Trigger) throws -> AlertRule.Trigger {
    switch settings {
    case .event(let filter): .events(try EventFilter(parsing: filter))
    case .query(let text): .rows(try QueryPlan(Query(parsing: text)))
    }
  }

  /// The end of an alert that the settings leave out: `process_recovered` ends `process_failed`.
  private static func pair(
    of trigger: NotificationRuleSettings.Trigger
  ) throws -> AlertRule.Trigger? {
    guard trigger == .event("process_failed") else { return nil }
    return .events(try EventFilter(parsing: "process_recovered"))
  }

  private func severity(
    _ settings: NotificationRuleSettings.Severity
  ) -> AlertRule.SeveritySource {
    var source = AlertRule.SeveritySource()
    source.least = AlertSeverity(rawValue: settings.least) ?? source.least
    source.field = settings.field
    source.map = settings.map.compactMapValues(AlertSeverity.init(rawValue:))
    source.fallback = AlertSeverity(rawValue: settings.fallback) ?? source.fallback
    return source
  }

  private static let zones = TimeZoneDatabase()

  private func quietHours(
    _ settings: NotificationRuleSettings.QuietHours
  ) throws -> QuietHours {
    guard let zone = try? Self.zones.zone(named: settings.timeZone) else {
      throw HostError(
        .failed, "This machine's time zone database has no usable \"\(settings.timeZone)\".")
    }
    return QuietHours(
      fromMinute: settings.from, toMinute: settings.to, zone: zone,
      except: settings.except.flatMap(AlertSeverity.init(rawValue:)))
  }

  // MARK: Notifiers

  private func entry(_ settings: NotifierSettings) -> NotifierEntry {
    var entry = notifier(settings)
    entry.attempts = settings.attempts
    entry.initialBackoff = settings.initialBackoffMs
    entry.maxBackoff = settings.maxBackoffMs
    entry.timeout = settings.timeoutMs
    entry.concurrency = settings.concurrency
    return entry
  }

  private func notifier(_ settings: NotifierSettings) -> NotifierEntry {
    switch settings.kind {
    case .webhook(let webhook):
      var options = WebhookNotifier.Options(url: webhook.url)
      options.secret = webhook.secret
      options.headers = webhook.headers
      options.allowsPrivate = webhook.allowsPrivate
      options.redirects = webhook.redirects
      options.authorities = webhook.authorities
      options.timeout = settings.timeoutMs
      return NotifierEntry(
        type: "webhook", target: WebhookNotifier.origin(of: webhook.url) ?? "",
        notifier: WebhookNotifier(options, now: { Timestamp.now() }))
    case .command(let words, let environment):
      return NotifierEntry(
        type: "command", target: words.first ?? "",
        notifier: CommandNotifier(
          words: words, environment: environment, folder: self.settings.folder.path))
    case .module(let module, let notifier, let recipient):
      return NotifierEntry(
        type: "module", target: "\(module)/\(notifier)",
        notifier: ModuleNotifier(
          processes: processes, module: module, notifier: notifier, recipient: recipient,
          timeout: .milliseconds(settings.timeoutMs)))
    }
  }
}
