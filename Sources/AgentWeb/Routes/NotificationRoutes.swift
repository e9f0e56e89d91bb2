internal import AgentAccess
internal import AgentJSON
internal import AgentNotifications
internal import AgentHost
internal import AgentStore
internal import AgentWorkers
internal import Hummingbird

/// Routes of alerts, deliveries and notifiers.
struct NotificationRoutes {
  let host: HostApplication

  var routes: [APIRoute] { alerts + changes + deliveries + notifiers }

  private static let limit = APIParameter.query(
    "limit", .integer(1...1000), summary: "maximum number of results; 100 by default")
  private static let before = APIParameter.query(
    "before", .integer(1...APIParameter.maxNumber), summary: "the \"next\" of the previous page"
  )

  // MARK: Alerts

  private var alerts: [APIRoute] {
    [
      APIRoute(
        .get, "alerts", operation: "list_alerts", summary: "Lists alerts, newest first.",
        tag: .notifications,
        for: .read,
        parameters: [
          .query(
            "state", .choice(AlertRow.State.allCases.map(\.rawValue)), summary: "only of this state"
          ),
          .query("current", .flag, summary: "only alerts that aren't resolved"),
          .query(
            "severity", .choice(AlertSeverity.allCases.map(\.rawValue)),
            summary: "only alerts of this severity"),
          .query("rule", .text, summary: "only alerts of this rule"), Self.before, Self.limit,
        ], replies: [.ok(.page("Alerts", "alerts", of: .alert))]
      ) { [host] call in
        let selection = AlertSelection(
          state: call.text("state").flatMap(AlertRow.State.init(rawValue:)),
          isCurrent: call.flag("current"), severity: call.text("severity"),
          rule: call.text("rule"), before: call.integer("before").map { Int64($0) },
          limit: call.integer("limit") ?? 100)
        return try await Self.reply { try await host.notifications.alerts(selection) }
      },
      APIRoute(
        .get, "alerts/{id}", operation: "get_alert",
        summary: "Returns an alert with its history and deliveries.",
        tag: .notifications, for: .read, parameters: [.number("id", "the alert")],
        replies: [.ok(.alertReport)]
      ) { [host] call in
        try await Self.reply { try await host.notifications.alert(call.number("id")) }
      },
    ]
  }

  private var changes: [APIRoute] {
    [
      APIRoute(
        .post, "alerts/{id}/acknowledge", operation: "acknowledge_alert",
        summary: "Acknowledges an alert. Its notifications aren't repeated.",
        tag: .notifications, for: .operate, parameters: [.number("id", "the alert")],
        body: .json(.alertNote, isOptional: true), replies: [.ok(.alertReport)]
      ) { [host] call in
        try await Self.reply {
          try await host.notifications.acknowledge(
            call.number("id"), by: call.principal.label, note: call.body["note"]?.string ?? "")
        }
      },
      APIRoute(
        .post, "alerts/{id}/resolve", operation: "resolve_alert", summary: "Resolves an alert.",
        tag: .notifications, for: .operate, parameters: [.number("id", "the alert")],
        body: .json(.alertNote, isOptional: true), replies: [.ok(.alertReport)]
      ) { [host] call in
        try await Self.reply {
          try await host.notifications.resolve(
            call.number("id"), by: call.principal.label, note: call.body["note"]?.string ?? "")
        }
      },
    ]
  }

  // MARK: Deliveries

  private var deliveries: [APIRoute] {
    [
      APIRoute(
        .get, "deliveries", operation: "list_deliveries",
        summary: "Lists deliveries of notifications, newest first.",
        tag: .notifications, for: .read,
        parameters: [
          .query(
            "state", .choice(DeliveryRow.State.allCases.map(\.rawValue)),
            summary: "only of this state"),
          .query("notifier", .text, summary: "only deliveries to this notifier"),
          .query(
            "alert", .integer(1...APIParameter.maxNumber),
            summary: "only deliveries about this alert"),
          Self.before, Self.limit,
        ], replies: [.ok(.page("Deliveries", "deliveries", of: .delivery))]
      ) { [host] call in
        let selection = DeliverySelection(
          alert: call.integer("alert").map { Int64($0) },
          state: call.text("state").flatMap(DeliveryRow.State.init(rawValue:)),
          notifier: call.text("notifier"), before: call.integer("before").map { Int64($0) },
          limit: call.integer("limit") ?? 100)
        return try await Self.reply { try await host.notifications.deliveries(selection) }
      },
      APIRoute(
        .post, "deliveries/{id}/retry", operation: "retry_delivery",
        summary: "Retries a delivery now that is queued, has failed, or was given up.",
        tag: .notifications,
        for: .operate, parameters: [.number("id", "the delivery")], replies: [.ok(.delivery)]
      ) { [host] call in
        try await Self.reply { try await host.notifications.retry(call.number("id")) }
      },
    ]
  }

  // MARK: Notifiers

  private var notifiers: [APIRoute] {
    [
      APIRoute(
        .get, "notifiers", operation: "list_notifiers",
        summary: "Lists notifiers with their delivery counts.",
        tag: .notifications, for: .read,
        replies: [.ok(.list("Notifiers", "notifiers", of: .notifier))]
      ) { [host] _ in
        try await Self.reply { try await host.notifications.notifiers() }
      },
      APIRoute(
        .post, "notifiers/{name}/test", operation: "test_notifier",
        summary: "Sends a test to a notifier, once, and returns the delivery.", tag: .notifications,
        for: .operate, parameters: [.path("name", "the notifier")],
        replies: [.ok(.delivery)], options: .slow
      ) { [host] call in
        try await Self.reply {
          try await host.notifications.test(
            notifier: call.path("name"), by: call.principal.label)
        }
      },
    ]
  }

  /// Returns the answer. A notification error becomes the API's error.
  private static func reply(_ work: () async throws -> JSONValue) async throws -> Response {
    do {
      return Response(try await work())
    } catch let error as AlertError {
      let code: HostError.Code =
        switch error.code {
        case .missing: .notFound
        case .conflict: .conflict
        case .notReady: .notReady
        }
      throw HostError(code, error.message)
    }
  }
}
