internal import AgentDiagnostics
internal import AgentLogging
internal import AgentMetrics
internal import AgentNotifications
internal import AgentSettings
internal import AgentStore
internal import AgentSystem
internal import AgentWorkers
internal import Synchronization

/// Alerts and their notifiers.
extension HostApplication {
  /// Hands the notification center the rules and notifiers of these settings.
  func notify(by settings: AgentSettings) {
    let planner = NotificationPlanner(
      settings: settings, log: log, printsToTerminal: options.logsToTerminal,
      host: { [weak self] in self })
    notifications.apply(planner.plan())
  }

  /// Plans the notifications and registers their durable consumer at the end of the log. Called
  /// before the log of events is opened and any process starts, so that a failure in the first
  /// moment raises its alert.
  func prepareNotifications(_ store: any Store) async {
    notify(by: settings)
    show(health: "notifications") { [weak self] in self?.notificationHealth ?? [] }
    await notifications.prepare(store)
  }

  /// Whether notices reach their notifiers. Empty when there are no rules and no troubles, since a
  /// part that does nothing has no health.
  private var notificationHealth: [HealthReading] {
    let troubles = notifications.troubles
    guard !troubles.isEmpty else {
      return settings.notifications.rules.isEmpty ? [] : [HealthReading("notifications")]
    }
    let reasons = troubles.map { "\($0.notifier): \($0.error)" }.joined(separator: " ")
    return [
      HealthReading(
        "notifications", .degraded,
        reason:
          "Notifications can't be delivered. \(reasons) \"agent notify deliveries\" shows them.")
    ]
  }

  /// Watches events and delivers notices until the task is cancelled.
  func runNotifications() async {
    guard let store = state.withLock({ $0.store }) else { return }
    await notifications.run(events, TracedStore(store, tracer))
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
