import AgentText
import JSONSchema

/// The enabled modules of an agent, and their contributions.
///
/// It is read once and never changes. No code of a module runs.
public struct ModuleCatalog: Sendable {
  /// The meaning of a `type` in the settings.
  public enum Resolution: Sendable {
    /// This contribution of this module.
    case found(Manifest, Contribution)
    /// Several modules offer it. The settings must use one of these full names.
    case ambiguous([String])
    /// An installed module offers it, but it isn't enabled.
    case notEnabled(module: String)
    /// Enabled modules offer only a contribution of another kind under this name.
    case otherKind(Manifest, Contribution)
    /// No module offers it. The nearest known name, if there is one.
    case unknown(nearest: String?)
  }

  /// The agent's folder.
  public let folder: String
  /// The enabled modules with valid manifests, in the order of the settings.
  public let modules: [Manifest]
  /// The problems of the enabled modules.
  public let problems: [Problem]

  /// The enabled modules whose manifests have errors. Their contributions are unknown.
  public let brokenModules: Set<String>

  private let offers: [String: [(manifest: Manifest, contribution: Contribution)]]
  private let installed: InstalledModules

  /// Reads the manifests of the enabled modules.
  /// - Parameters:
  ///   - named: the name of the agent's folder in messages. `nil` uses its path.
  ///   - permissions: further permissions that the settings grant, by the module's name.
  public init(
    folder: String, named name: String? = nil, enabled: [ModuleReference],
    permissions: [String: Permissions] = [:], host: SemanticVersion = .host
  ) {
    var reader = CatalogReader(folder: folder, name: name ?? folder, host: host)
    for reference in enabled { reader.read(reference) }
    reader.checkRequirements()
    let modules = reader.modules.map { manifest in
      permissions[manifest.name].map(manifest.permitting) ?? manifest
    }
    self.folder = folder
    self.modules = modules
    self.problems = reader.problems
    self.brokenModules = reader.broken
    self.installed = reader.installed
    var offers: [String: [(Manifest, Contribution)]] = [:]
    for manifest in modules {
      for offer in manifest.offers { offers[offer.name, default: []].append((manifest, offer)) }
    }
    self.offers = offers
  }

  /// The enabled module of this name.
  public func module(_ name: String) -> Manifest? { modules.first { $0.name == name } }

  /// Every module in the `modules` folder, enabled or not.
  public var installedModules: [InstalledModule] { installed.everything }

  /// Whether this module is enabled but its manifest can't be used.
  public func isBroken(_ name: String) -> Bool { brokenModules.contains(name) }

  /// Returns the contribution with the name `NAME` or `MODULE/NAME` among these kinds.
  public func resolve(
    type: String, among kinds: Set<ContributionKind> = ContributionKind.processes
  ) -> Resolution {
    if let slash = type.firstIndex(of: "/") {
      return resolve(
        String(type[type.index(after: slash)...]), of: String(type[..<slash]), among: kinds)
    }
    let named = offers[type] ?? []
    let candidates = named.filter { kinds.contains($0.contribution.kind) }
    if candidates.count > 1 {
      return .ambiguous(candidates.map { "\($0.manifest.name)/\(type)" })
    }
    if let only = candidates.first { return .found(only.manifest, only.contribution) }
    if let manifest = offering(type, kinds) { return .notEnabled(module: manifest.name) }
    if let other = named.first { return .otherKind(other.manifest, other.contribution) }
    return .unknown(nearest: NameSuggestion.of(type, among: names(of: kinds)))
  }

  private func resolve(
    _ name: String, of module: String, among kinds: Set<ContributionKind>
  ) -> Resolution {
    if let manifest = self.module(module) {
      if let offer = manifest.offer(name, among: kinds) { return .found(manifest, offer) }
      if let other = manifest.offers.first(where: { $0.name == name }) {
        return .otherKind(manifest, other)
      }
      let names = manifest.offers.filter { kinds.contains($0.kind) }.map(\.name)
      return .unknown(nearest: NameSuggestion.of(name, among: names).map { "\(module)/\($0)" })
    }
    if installed.all.contains(where: { $0.name == module && $0.offer(name, among: kinds) != nil }) {
      return .notEnabled(module: module)
    }
    let full = modules.flatMap { manifest in
      manifest.offers.filter { kinds.contains($0.kind) }.map { "\(manifest.name)/\($0.name)" }
    }
    return .unknown(nearest: NameSuggestion.of("\(module)/\(name)", among: full))
  }

  private func offering(_ name: String, _ kinds: Set<ContributionKind>) -> Manifest? {
    installed.all.first { manifest in
      module(manifest.name) == nil && manifest.offer(name, among: kinds) != nil
    }
  }

  private func names(of kinds: Set<ContributionKind>) -> [String] {
    let installed = installed.all.flatMap(\.offers)
    let all = modules.flatMap(\.offers) + installed
    return all.filter { kinds.contains($0.kind) }.map(\.name)
  }
}
