internal import AgentDiagnostics
internal import AgentEvents
internal import AgentLogging
internal import AgentMetrics
package import AgentNotifications
internal import AgentProcesses
internal import AgentSettings
internal import AgentStore
internal import AgentSystem
internal import AgentWorkers
internal import Synchronization

/// Alerts and their notifiers, by the settings. Any thread.
package final class NotificationService: Sendable {
  /// Alerts and their delivery.
  package let center: NotificationCenter
  private let settings: CurrentSettings
  private let events: EventBus
  private let log: LogHub
  private let printsToTerminal: Bool
  private let baseURL: @Sendable () -> String?
  private let processes: ProcessManager
  /// Whether they were prepared: what wasn't has no health.
  private let isPrepared = Mutex(false)

  /// - Parameters:
  ///   - printsToTerminal: whether the notifier `console` prints.
  ///   - baseURL: where people reach the API, for the links in notices.
  ///   - processes: answers for modules that deliver notices.
  init(
    settings: CurrentSettings, events: EventBus, log: LogHub, metrics: MetricsRegistry,
    printsToTerminal: Bool, baseURL: @escaping @Sendable () -> String?, processes: ProcessManager
  ) {
    center = NotificationCenter(metrics: metrics, log: log)
    self.settings = settings
    self.events = events
    self.log = log
    self.printsToTerminal = printsToTerminal
    self.baseURL = baseURL
    self.processes = processes
  }

  /// Hands the notification center the rules and notifiers of these settings.
  func apply(_ settings: AgentSettings) {
    let planner = NotificationPlanner(
      settings: settings, log: log, printsToTerminal: printsToTerminal, baseURL: baseURL,
      processes: { [weak processes] in processes })
    center.apply(planner.plan())
  }

  /// Plans the notifications and registers their durable consumer at the end of the log. Called
  /// before the log of events is opened and any process starts, so that a failure in the first
  /// moment raises its alert. The call may be repeated.
  /// - Throws: `StoreError` for a reason that may pass, such as a full disk.
  func prepare(_ store: any Store) async throws {
    apply(settings.value)
    isPrepared.withLock { $0 = true }
    try await center.prepare(store)
  }

  /// Watches events and delivers notices until the task is cancelled.
  func run(_ store: any Store) async { await center.run(events, store) }

  /// Whether notices reach their notifiers. Empty when there are no rules and no troubles, since a
  /// part that does nothing has no health.
  var health: [HealthSnapshot] {
    guard isPrepared.withLock({ $0 }) else { return [] }
    var reasons = center.queryTroubles.map {
      "The query of the rule \($0.rule) doesn't run. \($0.error)"
    }
    let troubles = center.troubles
    if !troubles.isEmpty {
      let texts = troubles.map { "\($0.notifier): \($0.error)" }.joined(separator: " ")
      reasons.append(
        "Notifications can't be delivered. \(texts) \"agent notify deliveries\" shows them.")
    }
    guard !reasons.isEmpty else {
      return settings.value.notifications.rules.isEmpty ? [] : [HealthSnapshot("notifications")]
    }
    return [HealthSnapshot("notifications", .degraded, reason: reasons.joined(separator: " "))]
  }
}

extension NotificationCenter {
  /// The host's own.
  convenience init(metrics: MetricsRegistry, log: LogHub) {
    self.init(metrics: metrics, now: { Timestamp.now() }) { level, message in
      let level: LogLevel =
        switch level {
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
      log.log(level, message)
    }
  }
}
