internal import AgentJSON
internal import AgentLogging
internal import AgentNotifications
internal import AgentProcesses
internal import AgentWorkers

/// Writes notices into the host's log.
struct LogNotifier: Notifier {
  let log: LogHub

  func deliver(_ notice: Notice) async throws {
    let level: LogLevel =
      switch notice.severity {
      case .info: .notice
      // That something is over is nothing to be alarmed about.
      case .warning where notice.kind == "resolved", .critical where notice.kind == "resolved":
        .notice
      case .warning: .warning
      case .critical: .critical
      }
    let text = notice.text.isEmpty ? notice.title : "\(notice.title): \(notice.text)"
    var fields: JSONObject = ["notice": .string(notice.id)]
    fields["alert"] = notice.object["alert"]?["id"]
    log.log(level, text, fields: fields)
  }
}

/// Hands notices to what a module offers.
struct ModuleNotifier: Notifier {
  let processes: @Sendable () -> ProcessManager?
  let module: String
  let notifier: String
  let recipient: String?
  let timeout: Duration

  func deliver(_ notice: Notice) async throws {
    guard let processes = processes() else { return }
    var input: JSONObject = [
      "id": .string(notice.id), "title": .string(notice.title), "text": .string(notice.text),
      "severity": .string(notice.severity.rawValue),
    ]
    input["recipient"] = recipient.map { .string($0) }
    for key in ["link", "alert"] { input[key] = notice.object[key] }
    do {
      _ = try await processes.invoke(
        module: module, kind: "notifiers", contribution: notifier, input: .object(input),
        timeout: timeout)
    } catch {
      throw DeliveryFailure(error.message)
    }
  }
}
