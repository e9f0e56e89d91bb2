package import AgentJSON
internal import AgentModules
package import AgentSettings
internal import AgentText
internal import AgentWorkers
internal import Glibc

/// The features that the settings enable, and the parts that they lack. It needs no running host.
package struct FeatureReport: Sendable {
  /// A required part, and whether it exists.
  struct Need: Sendable {
    let name: String
    let isThere: Bool
    let detail: String
  }

  private let modules: [ModuleSettings]
  private let installed: [Manifest]
  private let problems: [Problem]
  private let needs: [String: [Need]]
  private let kernel: [Need]
  private let permissions: PermissionText

  package init(_ result: SettingsResult) {
    modules = result.settings?.modules ?? []
    let enabled = Set(result.catalog?.modules.map(\.name) ?? [])
    installed = (result.catalog?.installedModules ?? []).compactMap(\.manifest).filter {
      !enabled.contains($0.name)
    }
    problems = result.problems
    var needs: [String: [Need]] = [:]
    let packages = SystemPackages()
    for manifest in result.catalog?.modules ?? [] {
      needs[manifest.name] = Self.needs(of: manifest, packages)
    }
    self.needs = needs
    kernel = KernelFacilities.all
    permissions = PermissionText(
      enabled: modules.map(\.manifest), agent: result.settings?.folder.path ?? "")
  }

  /// Whether all enabled features can work.
  package var isComplete: Bool {
    !problems.contains { $0.severity == .error }
      && needs.values.allSatisfy { $0.allSatisfy(\.isThere) }
  }

  private static func needs(of manifest: Manifest, _ packages: SystemPackages) -> [Need] {
    var needs: [Need] = []
    switch manifest.entry {
    case .library(let name):
      let path = manifest.libraryPath ?? name
      let isThere = access(path, R_OK) == 0
      needs.append(
        Need(
          name: name, isThere: isThere,
          detail: isThere ? "built" : "not built yet: agent build \(manifest.name)"))
    case .command(let words):
      let program = words.first ?? ""
      let isThere = Programs.find(program, beside: manifest.directory) != nil
      needs.append(
        Need(name: program, isThere: isThere, detail: isThere ? "there" : "not found in PATH"))
    case .functionsOnly: break
    }
    for package in manifest.requires.packages {
      let isThere = packages.has(package)
      needs.append(
        Need(
          name: package, isThere: isThere,
          detail: isThere ? "installed" : "not installed: apt-get install \(package)"))
    }
    return needs
  }

  // MARK: JSON

  /// The report as JSON.
  package var json: JSONValue {
    [
      "complete": .bool(isComplete),
      "modules": .array(modules.map(json)),
      "not_enabled": .array(installed.map { .string($0.name) }),
      "kernel": .array(kernel.map(Self.json)),
      "host": .object([
        "version": .string(SemanticVersion.host.description),
        "abi": .number(JSONNumber(Manifest.hostABI)),
        "extensions": .array(HostExtensions.offered.map { .string($0) }),
        "missing_extensions": .array(HostExtensions.missing.map { .string($0) }),
      ]),
      "problems": .array(problems.map(\.json)),
    ]
  }

  private func json(_ module: ModuleSettings) -> JSONValue {
    let manifest = module.manifest
    return [
      "name": .string(manifest.name), "version": .string("\(manifest.version)"),
      "isolation": .string(module.isolation.rawValue),
      "permissions": .array(permissions.lines(of: manifest).map { .string($0) }),
      "needs": .array((needs[manifest.name] ?? []).map(Self.json)),
      "offers": .array(
        manifest.offers.map { offer in
          let state = module.contributions.first { $0.contribution.name == offer.name }?.state
          return [
            "kind": .string(offer.kind.rawValue), "name": .string(offer.name),
            "title": .string(offer.title), "available": .bool(state.map { $0 == .enabled } ?? true),
          ]
        }),
    ]
  }

  private static func json(_ need: Need) -> JSONValue {
    [
      "name": .string(need.name), "available": .bool(need.isThere),
      "detail": .string(need.detail),
    ]
  }

  // MARK: Text

  /// The report as text.
  package var text: String {
    var lines = problems.map(\.description)
    if modules.isEmpty { lines.append("No module is enabled.") }
    for module in modules { lines += self.lines(of: module) }
    if !installed.isEmpty {
      lines.append("Not enabled: \(installed.map(\.name).joined(separator: ", "))")
    }
    lines.append("Kernel:")
    lines += kernel.map(Self.line)
    lines.append("Host \(SemanticVersion.host), ABI \(Manifest.hostABI):")
    lines.append("  offers \(HostExtensions.offered.joined(separator: ", "))")
    lines.append("  doesn't offer yet \(HostExtensions.missing.joined(separator: ", "))")
    return lines.joined(separator: "\n")
  }

  private func lines(of module: ModuleSettings) -> [String] {
    let manifest = module.manifest
    var lines = ["\(manifest.name) \(manifest.version): \(manifest.title)"]
    for offer in manifest.offers {
      let entry = module.contributions.first { $0.contribution.name == offer.name }
      let state: String =
        switch entry?.state {
        case .disabled: " (disabled)"
        case .needsSettings(let keys): " (needs settings: \(keys.joined(separator: ", ")))"
        case .enabled, nil: ""
        }
      let kind = offer.kind.rawValue.replacing("_", with: " ")
      lines.append("  \(kind) \(offer.name)\(state): \(offer.title)")
    }
    lines += permissions.lines(of: manifest).map { "  may \($0)" }
    lines += (needs[manifest.name] ?? []).map(Self.line)
    return lines.map(VisibleText.line)
  }

  private static func line(_ need: Need) -> String {
    "  \(need.isThere ? "ok     " : "MISSING") \(need.name): \(need.detail)"
  }
}
