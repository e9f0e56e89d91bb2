internal import AgentAccess
internal import AgentJSON

/// The keys that a merge patch of the settings changes, for the audit log. Their values may be
/// secrets and are left out.
enum PatchKeys {
  /// Returns the dotted paths of the changed keys, such as `http.listen, processes.shop`. They end
  /// soon behind the length that the audit log keeps.
  static func text(_ patch: JSONNode) -> String? {
    var text = ""
    add(patch, at: [], to: &text)
    return text
  }

  private static func add(_ node: JSONNode, at path: [String], to text: inout String) {
    // A patch may have a hundred thousand keys.
    guard text.utf8.count <= AuditLog.longestTarget else { return }
    guard node.kind == .object, node.count > 0 else {
      text += (text.isEmpty ? "" : ", ") + JSONPointer(tokens: path).dotted
      return
    }
    for member in node.members { add(member.value, at: path + [member.key], to: &text) }
  }
}
