internal import AgentSystem
public import AgentJSON
public import AgentStore

/// What people ask of it.
extension NotificationCenter {
  /// Alerts, the newest first, and where the next page begins.
  public func alerts(_ selection: AlertSelection) async throws -> JSONValue {
    let rows = try await store().read { try $0.alerts.alerts(selection) }
    return Self.page(
      "alerts", items: rows.map { .object($0.summary) }, last: rows.last?.id, limit: selection.limit
    )
  }

  /// An alert with its event, history and deliveries.
  public func alert(_ id: Int64) async throws -> JSONValue {
    let stored = try await store().read { snapshot in
      (
        row: try snapshot.alerts.alert(id), history: try snapshot.alerts.history(id),
        deliveries: try snapshot.deliveries.deliveries(DeliverySelection(alert: id, limit: 200))
      )
    }
    guard let row = stored.row else { throw AlertError.unknown(id) }
    var object = row.summary
    object["event"] = .object(row.lastEvent)
    object["link"] = context.plan.link(id).map { .string($0) }
    object["history"] = .array(stored.history.map(\.json))
    object["deliveries"] = .array(stored.deliveries.map { .object($0.summary) })
    return .object(object)
  }

  /// Records that somebody handles an alert: it isn't reported again, unless it gets worse.
  public func acknowledge(_ id: Int64, by actor: String, note: String) async throws -> JSONValue {
    let isNew = try await change { try $0.acknowledge(id, by: actor, note: note) }
    guard isNew != nil else { throw Self.isOver(id) }
    return try await alert(id)
  }

  /// Somebody says that an alert is over.
  public func resolve(_ id: Int64, by actor: String, note: String) async throws -> JSONValue {
    guard let outcome = try await change({ try $0.resolve(id, by: actor, note: note) }) else {
      throw Self.isOver(id)
    }
    watcher.wakeParts(outcome)
    return try await alert(id)
  }

  private func change<Value: Sendable>(
    _ body: @escaping @Sendable (AlertProcessor) throws -> Value
  ) async throws -> Value {
    let (plan, now) = (context.plan, context.now())
    return try await store().write { transaction in
      try body(AlertProcessor(plan: plan, transaction: transaction, now: now))
    }
  }

  private static func isOver(_ id: Int64) -> AlertError {
    AlertError(code: .conflict, message: "The alert \(id) is resolved already.")
  }

  // MARK: Deliveries

  /// Deliveries, the newest first, and where the next page begins.
  public func deliveries(_ selection: DeliverySelection) async throws -> JSONValue {
    let rows = try await store().read { try $0.deliveries.deliveries(selection) }
    return Self.page(
      "deliveries", items: rows.map { .object($0.summary) }, last: rows.last?.id,
      limit: selection.limit)
  }

  /// Tries a delivery now that waits for its next attempt, or was given up.
  public func retry(_ id: Int64) async throws -> JSONValue {
    let now = context.now()
    let row = try await store().write { transaction in
      guard var row = try transaction.deliveries.delivery(id) else {
        throw AlertError.unknown(delivery: id)
      }
      switch row.state {
      case .delivered:
        throw AlertError(code: .conflict, message: "The delivery \(id) has been delivered.")
      case .sending:
        throw AlertError(code: .conflict, message: "The delivery \(id) is being sent now.")
      case .givenUp:
        guard try !transaction.deliveries.isOvertaken(row) else { throw AlertError.overtaken(id) }
        row.attempts = 0
      case .queued, .failed: break
      }
      row.state = .queued
      row.next = now
      row.updated = now
      try transaction.deliveries.update(row)
      return row
    }
    dispatcher.wakeTimer.ring()
    return .object(row.summary)
  }

  // MARK: Notifiers

  /// The notifiers whose last attempt has failed, and why.
  public var troubles: [(notifier: String, error: String)] { dispatcher.troubles }

  /// The rules whose query doesn't run, and why.
  public var queryTroubles: [(rule: String, error: String)] {
    context.queryTroubles.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The notifiers, and what they have done.
  public func notifiers() async throws -> JSONValue {
    let plan = context.plan
    let counts = try await store().read { try $0.deliveries.deliveryCounts() }
    let list = plan.notifiers.sorted { $0.key < $1.key }.map { name, entry -> JSONValue in
      var deliveries = JSONObject()
      for count in counts where count.notifier == name {
        deliveries[count.state.rawValue] = JSONValue(count.count)
      }
      return [
        "name": .string(name), "type": .string(entry.type), "target": .string(entry.target),
        "rules": .array(
          plan.rules.filter { $0.notifiers.contains(name) }.map { .string($0.name) }),
        "deliveries": .object(deliveries),
      ]
    }
    return ["notifiers": .array(list)]
  }

  /// Sends a notice that says that it is a test, once, and returns what became of it.
  public func test(notifier name: String, by actor: String) async throws -> JSONValue {
    let plan = context.plan
    guard plan.notifiers[name] != nil else {
      let names = plan.notifiers.keys.sorted().joined(separator: ", ")
      throw AlertError(
        code: .missing, message: "There is no notifier \"\(name)\". There are: \(names).")
    }
    let draft = NoticeDraft(
      kind: .test, title: "Test: \(plan.agent.isEmpty ? "notification" : plan.agent)",
      text: "\(actor) tests the notifier \(name).", severity: AlertSeverity.info.rawValue,
      agent: plan.agent)
    let now = context.now()
    let store = try store()
    let row = try await store.write { transaction in
      let deliveries = transaction.deliveries
      // Never due by itself: it is sent from here.
      let id = try draft.queue(for: name, alert: nil, in: deliveries, at: now, notBefore: .max)
      guard var row = try deliveries.delivery(id) else { throw AlertError.unknown(delivery: id) }
      (row.state, row.attempts) = (.sending, 1)
      try deliveries.update(row)
      return row
    }
    return .object(try await dispatcher.tryOnce(row, store).summary)
  }

  private static func page(
    _ name: String, items: [JSONValue], last: Int64?, limit: Int
  ) -> JSONValue {
    var object: JSONObject = [name: .array(items)]
    if items.count == limit { object["next"] = last.map { .string(String($0)) } }
    return .object(object)
  }
}

extension AlertStep {
  /// The line as an object.
  var json: JSONValue {
    [
      "timestamp": JSONValue(timestamp), "what": .string(what), "actor": .string(actor),
      "note": .string(note),
    ]
  }
}

extension DeliveryRow {
  /// The delivery as lists have it.
  var summary: JSONObject {
    var object: JSONObject = [
      "id": JSONValue(id), "notice": .string(key), "notifier": .string(notifier),
      "kind": .string(kind), "state": .string(state.rawValue), "attempts": JSONValue(attempts),
      "created": JSONValue(created), "updated": JSONValue(updated),
    ]
    object["alert"] = alert.map { JSONValue($0) }
    if state == .queued || state == .failed { object["next"] = JSONValue(next) }
    object["error"] = error.map { .string($0) }
    object["title"] = (try? JSONValue(stored: notice))?["title"]
    return object
  }
}

extension DeliveryReader {
  /// Whether a notifier was told something later of the same alert, among its latest 200 notices.
  func isOvertaken(_ row: DeliveryRow) throws -> Bool {
    guard let alert = row.alert else { return false }
    let latest = try deliveries(
      DeliverySelection(alert: alert, notifier: row.notifier, limit: 200))
    return latest.contains { $0.id > row.id && [.delivered, .sending].contains($0.state) }
  }
}
