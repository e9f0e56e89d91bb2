package import AgentAssignment
internal import AgentJSON
package import AgentStore
internal import AgentTasks

extension BotStateMachine {
  /// As it is stored: `online`, `lost:busy`, `gone`.
  var stored: String {
    switch self {
    case .said(let status): status.rawValue
    case .lost(let status): "lost:\(status.rawValue)"
    case .gone: "gone"
    }
  }

  /// What was stored; what isn't known is an error that somebody has to look at.
  init(stored text: String) {
    if text == "gone" {
      self = .gone
    } else if text.hasPrefix("lost:") {
      self = .lost(was: BotStatus(rawValue: String(text.dropFirst(5))) ?? .online)
    } else {
      self = .said(BotStatus(rawValue: text) ?? .error)
    }
  }
}

extension Bot {
  /// A bot as it was stored, without its tasks.
  package init?(_ row: BotRow, types: [String], heardOf moment: Int64?) {
    guard let document = try? JSONDocument(parsing: row.definition) else { return nil }
    // A type that the settings don't have any more stays what it was.
    let local = document.root["bot_type"]?.string.map { [$0] } ?? []
    guard let definition = try? BotDefinitionReader(customTypes: types + local).read(document.root)
    else {
      return nil
    }
    self.init(
      id: row.id, definition: definition, lifecycle: BotStateMachine(stored: row.lifecycle),
      registered: row.registered, lastHeartbeat: moment ?? row.heartbeat)
  }
}
