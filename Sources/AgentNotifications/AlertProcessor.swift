internal import AgentJSON
internal import AgentStore

/// Opens, counts and ends alerts, and queues their notices. It works within a transaction, so that
/// the results of an event and the position in the log are stored together.
struct AlertProcessor {
  /// The maximum number of open alerts of one rule. A rule that opens more has the wrong `group`.
  static let maxOfARule = 1000

  let plan: NotificationPlan
  let transaction: any StoreTransaction
  let now: Int64

  private var alerts: any AlertStorage { transaction.alerts }

  /// The result of a step.
  struct Outcome {
    /// The number of queued notices.
    var notices = 0
    /// The rules that opened no alert because they have too many.
    var refused: Set<String> = []

    mutating func add(_ other: Outcome) {
      notices += other.notices
      refused.formUnion(other.refused)
    }
  }

  // MARK: Events

  /// The cause of a step of an alert.
  enum Actor {
    /// The rule of the alert.
    case rule
    /// A person or a program, by the name that the audit log has.
    case named(String)
  }

  /// Handles a published event by every rule.
  func handle(_ event: JSONObject) throws -> Outcome {
    var outcome = Outcome()
    for rule in plan.rules {
      if rule.until?.matches(event) == true {
        outcome.add(try end(rule, event))
      } else if rule.when.matches(event) {
        outcome.add(try handle(event, by: rule))
      }
    }
    return outcome
  }

  /// Handles an event that matches a rule. It raises the alert, or ends it if the event's `state`
  /// is `resolved`.
  func handle(_ event: JSONObject, by rule: AlertRule) throws -> Outcome {
    let excerpt = AlertExcerpt.of(event)
    return event["state"]?.string == "resolved"
      ? try end(rule, event) : try raise(rule, event, keeping: excerpt)
  }

  /// - Parameter excerpt: the part of the event that is stored and sent.
  private func raise(
    _ rule: AlertRule, _ event: JSONObject, keeping excerpt: JSONObject
  ) throws -> Outcome {
    let severity = rule.severity.severity(of: event)
    guard severity >= rule.severity.least else { return Outcome() }
    let key = rule.key(of: event)
    if var row = try alerts.current(rule: rule.name, key: key) {
      var machine = AlertStateMachine(row)
      let wasAcknowledged = row.state == .acknowledged
      let action = machine.raise(severity, at: now, rule.policy)
      machine.store(in: &row)
      row.event = JSONValue.object(excerpt).bytes()
      if wasAcknowledged, row.state == .open {
        try appendStep(row, "reopened", by: .rule, text: "It got worse: \(row.severity).")
      }
      return try storeAndNotify(action, row: &row, rule: rule, event: excerpt)
    }
    guard try alerts.countCurrent(rule: rule.name, most: Self.maxOfARule) < Self.maxOfARule
    else { return Outcome(refused: [rule.name]) }
    var machine = AlertStateMachine(raised: severity, at: now, rule.policy)
    let action = machine.advance(to: now, rule.policy)
    var row = AlertRow(
      rule: rule.name, key: key, topic: rule.topic(of: event), severity: severity.rawValue,
      event: JSONValue.object(excerpt).bytes(), opened: now, updated: now)
    machine.store(in: &row)
    row.id = try alerts.insert(row)
    try appendStep(row, "opened", by: .rule, text: event["source"]?.string ?? "")
    return try storeAndNotify(action, row: &row, rule: rule, event: excerpt)
  }

  /// Ends the alert that an event resolves.
  func end(_ rule: AlertRule, _ event: JSONObject) throws -> Outcome {
    var outcome = Outcome()
    let excerpt = AlertExcerpt.of(event)
    for row in try alerts.current(rule: rule.name, topic: rule.topic(of: event)) {
      outcome.add(
        try end(row, rule: rule, by: .rule, text: excerpt["text"]?.string ?? "", event: excerpt))
    }
    return outcome
  }

  // MARK: Requests

  /// Records that somebody handles the alert.
  /// - Returns: whether that is new. Nil when the alert is over.
  func acknowledge(_ id: Int64, by actor: String, note text: String) throws -> Bool? {
    guard var row = try alerts.alert(id) else { throw AlertError.unknown(id) }
    var machine = AlertStateMachine(row)
    guard machine.isCurrent else { return nil }
    guard machine.acknowledge() else { return false }
    machine.store(in: &row)
    try alerts.update(row)
    try appendStep(row, "acknowledged", by: .named(actor), text: text)
    return true
  }

  /// Ends the alert on behalf of a person.
  /// - Returns: nil when it was over already.
  func resolve(_ id: Int64, by actor: String, note text: String) throws -> Outcome? {
    guard let row = try alerts.alert(id) else { throw AlertError.unknown(id) }
    guard AlertStateMachine(row).isCurrent else { return nil }
    return try end(row, rule: plan.rule(row.rule), by: .named(actor), text: text, event: nil)
  }

  // MARK: Time

  /// Does what is due for at most `limit` alerts.
  func advance(limit: Int) throws -> Outcome {
    var outcome = Outcome()
    for row in try alerts.due(by: now, limit: limit) {
      var (row, machine) = (row, AlertStateMachine(row))
      guard let rule = plan.rule(row.rule) else {
        // The rule was removed. The alert stays visible and sends no notice.
        row.pending = nil
        row.due = nil
        try alerts.update(row)
        continue
      }
      let action = machine.advance(to: now, rule.policy)
      machine.store(in: &row)
      outcome.add(try storeAndNotify(action, row: &row, rule: rule, event: row.lastEvent))
    }
    return outcome
  }

  // MARK: Writing

  private func end(
    _ row: AlertRow, rule: AlertRule?, by actor: Actor, text: String, event: JSONObject?
  ) throws -> Outcome {
    var (row, machine) = (row, AlertStateMachine(row))
    guard let action = machine.resolve(at: now, rule?.policy ?? .init()) else { return Outcome() }
    machine.store(in: &row)
    try appendStep(row, "resolved", by: actor, text: text)
    var last = row.lastEvent
    // A resolving event has its own texts. Fields that it lacks come from the alert.
    for (key, value) in event ?? [:] where key != "type" { last[key] = value }
    return try storeAndNotify(action, row: &row, rule: rule, event: last)
  }

  /// Stores the row of an alert after a transition, and queues the notices that the transition asks
  /// for. The queued notices of an alert that is over are dropped.
  private func storeAndNotify(
    _ action: AlertStateMachine.Action, row: inout AlertRow, rule: AlertRule?,
    event: JSONObject
  ) throws -> Outcome {
    let link = plan.link(row.id)
    let text = NoticeText(rule, event, of: row, link: link)
    if row.closed == nil {
      (row.title, row.text) = (AlertExcerpt.text(text.title), AlertExcerpt.text(text.text))
    }
    try alerts.update(row)
    if row.closed != nil { try giveUp(row) }
    guard case .notify(let kind, let moment) = action, let rule else { return Outcome() }
    let notifiers = try rule.notifiers.filter { try needsNotice($0, kind: kind, alert: row.id) }
    guard !notifiers.isEmpty else { return Outcome() }
    try appendStep(
      row, "notified", by: .rule,
      text: "\(kind.rawValue): \(notifiers.joined(separator: ", "))")
    for notifier in notifiers {
      let draft = NoticeDraft(
        kind: kind, title: AlertExcerpt.text(kind.prefix + text.title),
        text: AlertExcerpt.text(text.text), severity: row.severity,
        alert: row.summary, event: event, link: link, agent: plan.agent)
      try draft.queue(
        for: notifier, alert: row.id, in: transaction.deliveries, at: now, notBefore: moment)
    }
    return Outcome(notices: notifiers.count)
  }

  /// Drops the queued notices of an alert that is over. A notice that is being sent is sent to its
  /// end.
  private func giveUp(_ row: AlertRow) throws {
    try transaction.deliveries.giveUp(
      alert: row.id, because: "The alert was over before it could be delivered.", now: now)
  }

  private func needsNotice(_ notifier: String, kind: NoticeKind, alert: Int64) throws -> Bool {
    switch kind {
    case .repeated: try !isBehind(notifier, alert)
    // A receiver that was never tried doesn't know the alert. After a failed attempt it may know
    // it, because an answer can get lost. An open pager is worse than an end without a beginning.
    case .resolved: try transaction.deliveries.hasTried(alert: alert, by: notifier)
    case .opened, .escalated, .test: true
    }
  }

  /// Whether a notifier hasn't sent the former notice of an alert yet: then it needn't repeat it,
  /// and a receiver that comes back doesn't get the same notice many times.
  private func isBehind(_ notifier: String, _ alert: Int64) throws -> Bool {
    let last = try transaction.deliveries.deliveries(
      DeliverySelection(alert: alert, notifier: notifier, limit: 1)
    ).first
    return last.map { [.queued, .sending, .failed].contains($0.state) } ?? false
  }

  /// Appends a step to the history of an alert.
  private func appendStep(
    _ row: AlertRow, _ what: String, by actor: Actor, text: String
  ) throws {
    let name =
      switch actor {
      case .rule: "rule \(row.rule)"
      case .named(let name): name
      }
    try alerts.append(
      AlertStep(
        alert: row.id, timestamp: now, what: what, actor: name, note: AlertExcerpt.text(text)))
  }
}

extension AlertRow {
  var lastEvent: JSONObject { (try? JSONValue(stored: event))?.object ?? [:] }
}
