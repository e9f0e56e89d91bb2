package import AgentModules
internal import AgentText

/// A module's permissions outside its folder as text, as they are enforced.
package enum PermissionText {
  /// Returns one line for each permission. The result is empty for a module without permissions.
  package static func lines(of manifest: Manifest) -> [String] {
    let permissions = manifest.permissions
    let rules = LinkRules(writable: permissions.write)
    var lines: [String] = []
    switch permissions.network {
    case .any: lines.append("open any network connection by itself")
    case .origins(let origins) where !origins.isEmpty:
      lines.append("reach \(origins.joined(separator: ", ")) through the host")
    case .origins: break
    }
    func add(_ verb: String, _ paths: [String], for purpose: PermittedPath.Purpose) {
      guard !paths.isEmpty else { return }
      let texts = paths.map { text(of: $0, for: purpose, by: rules) }
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
