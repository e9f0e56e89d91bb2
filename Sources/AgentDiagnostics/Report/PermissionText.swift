package import AgentModules
internal import AgentText

/// Permissions of modules outside their folders as text, as the sandbox enforces them.
package struct PermissionText: Sendable {
  private let writable: [String]
  private let agent: String

  /// - Parameters:
  ///   - enabled: the enabled modules. Links in folders that any of them may write aren't followed.
  ///   - agent: the agent's folder.
  package init(enabled: [Manifest], agent: String) {
    writable = enabled.flatMap(\.permissions.write)
    self.agent = agent
  }

  /// Returns one line for each permission. The result is empty for a module without permissions.
  package func lines(of manifest: Manifest) -> [String] {
    let permissions = manifest.permissions
    let rules = LinkRules(writable: writable + permissions.write, agent: agent)
    var lines: [String] = []
    switch permissions.network {
    case .any: lines.append("open any network connection by itself")
    case .origins(let origins) where !origins.isEmpty:
      lines.append("reach \(origins.joined(separator: ", ")) through the host")
    case .origins: break
    }
    func add(_ verb: String, _ paths: [String], for purpose: PermittedPath.Purpose) {
      guard !paths.isEmpty else { return }
      let texts = paths.map { Self.text(of: $0, for: purpose, by: rules) }
      lines.append("\(verb) \(texts.joined(separator: ", "))")
    }
    add("read", permissions.read, for: .read)
    add("write", permissions.write, for: .write)
    add("run", permissions.run, for: .run)
    // The author of a manifest must not be able to hide a line or to add one.
    return lines.map(VisibleText.line)
  }

  /// Returns a path, with its target if it is a link.
  private static func text(
    of path: String, for purpose: PermittedPath.Purpose, by rules: LinkRules
  ) -> String {
    guard let checked = try? PermittedPath(path, for: purpose),
      let target = checked.target(for: purpose, by: rules)
    else { return "\(path) (which permits nothing)" }
    let shown = target.firstHidden() == nil ? target : "another path that can't be shown"
    return target == path ? path : "\(path) (that is \(shown))"
  }
}
