internal import AgentJSON

/// The stored form. It is stored with a bot, so that the rights of the caller that registered it
/// are checked again when the settings have changed.
extension TaskAuthority {
  /// The authority as JSON text.
  package var stored: String {
    switch reach {
    case .everything: Self.everything
    case .module(let name, let granted):
      JSONValue.object([
        "module": .string(name), "granted": .array(granted.sorted().map(JSONValue.string)),
      ]).text()
    // Users and bots have no further rights, so they needn't be stored.
    case .declared, .bot: Self.declared
    }
  }

  private static let everything = #"{"everything":true}"#
  private static let declared = "{}"

  /// Reads a stored authority. If it is missing, as in rows of former versions, or unreadable, the
  /// result has only the rights of `declared`.
  /// - Parameter actor: the name of the authority in histories.
  package init(stored text: String?, actor: String?) {
    let json = text.flatMap { JSONValue(stored: Array($0.utf8)) }
    if json?["everything"]?.bool == true {
      self = .unrestricted(as: actor)
    } else if let module = json?["module"]?.string {
      self = .module(module, granted: Set(json?["granted"]?.strings ?? []), as: actor ?? module)
    } else {
      self = .restricted(as: actor ?? "", operates: false)
    }
  }
}
