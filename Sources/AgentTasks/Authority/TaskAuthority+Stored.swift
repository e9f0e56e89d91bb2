internal import AgentJSON

/// Stored beside what somebody has registered: what they may have done is asked again when the
/// settings have changed.
extension TaskAuthority {
  /// As it is stored.
  package var stored: String {
    switch reach {
    case .everything: Self.everything
    case .module(let name, let granted):
      JSONValue.object([
        "module": .string(name), "granted": .array(granted.sorted().map(JSONValue.string)),
      ]).text()
    // Neither a person nor a bot may take what the host does.
    case .declared, .bot: Self.declared
    }
  }

  private static let everything = #"{"everything":true}"#
  private static let declared = "{}"

  /// Reads what was stored. An authority that a former version hasn't stored, or that can't be read,
  /// reaches no further than what is declared.
  /// - Parameter actor: as whom they stand in histories.
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
