package import AgentAssignment
internal import AgentJSON
package import AgentStore
internal import AgentTasks

extension BotStateMachine {
  /// The form that is stored: `online`, `lost:busy`, `gone`.
  var stored: String {
    switch self {
    case .said(let status): status.rawValue
    case .lost(let status): "lost:\(status.rawValue)"
    case .gone: "gone"
    }
  }

  /// The events that bring a registered bot to this state.
  var events: [Event] {
    switch self {
    case .said(let status): [.said(status)]
    case .lost(let status): [.said(status), .heartbeatMissed]
    case .gone: [.unregister]
    }
  }

  /// Reads the stored form. An unknown status becomes `error`, so that the bot gets no tasks until
  /// a person has examined it.
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
  /// Reads a stored bot. Its tasks aren't part of the row.
  /// - Parameters:
  ///   - types: the types of bots that the settings define.
  ///   - moment: the moment to use as the last heartbeat, in Unix milliseconds. Nil means the
  ///     stored one.
  /// - Returns: nil if the definition can't be read.
  package init?(_ row: BotRow, types: [String], heardOf moment: Int64?) {
    guard let document = try? JSONDocument(parsing: row.definition) else { return nil }
    // The settings may no longer define the type of this bot. It stays valid.
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
