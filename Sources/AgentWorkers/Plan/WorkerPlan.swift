package import AgentModules
package import AgentWorkerProtocol
internal import Synchronization

/// The plan of a worker: its module, and the contributions that it serves.
///
/// Rationale: a class, because the host, the supervisor and each link hold it.
package final class WorkerPlan: Sendable {
  /// The name of the process in the settings, or `module:NAME`.
  package let name: String
  package let configurations: [Configure]
  /// Whether the launcher starts it, puts it into its sandbox and reports what that reached.
  package let isLaunched: Bool
  private let shared: Shared

  /// The part that may be the same for hundreds of workers.
  private final class Shared: Sendable {
    let manifest: Manifest
    let load: Load
    let isConfirmed = Atomic(false)

    init(_ manifest: Manifest, _ load: Load) {
      self.manifest = manifest
      self.load = load
    }
  }

  package var manifest: Manifest { shared.manifest }
  package var load: Load { shared.load }

  /// The configurations that are sent together with LOAD. Nil until a worker has shown that the
  /// module is what its manifest says.
  var configurationsAhead: [Configure]? {
    shared.isConfirmed.load(ordering: .relaxed) ? configurations : nil
  }

  /// A plan that shares with `other` what both have in common.
  init(
    name: String, manifest: Manifest, load: Load, configurations: [Configure],
    isLaunched: Bool = false, sharingWith other: WorkerPlan? = nil
  ) {
    self.name = name
    self.isLaunched = isLaunched
    self.configurations = configurations
    // By identity, which is enough: settings that are read again have new manifests, and share
    // again among themselves.
    if let other, other.manifest === manifest, other.load == load {
      shared = other.shared
    } else {
      shared = Shared(manifest, load)
    }
  }

  /// ``difference(to:)``, and remembers that there was none.
  func confirm(_ loaded: Loaded) -> String? {
    let difference = difference(to: loaded)
    if difference == nil { shared.isConfirmed.store(true, ordering: .relaxed) }
    return difference
  }

  /// Compares LOADED with the manifest. Returns the difference as a sentence, and nil when there is
  /// none. A library that isn't what its manifest says is refused before any of its code that acts
  /// on settings has run.
  package func difference(to loaded: Loaded) -> String? {
    guard loaded.abi == manifest.abi else {
      return "The library speaks ABI \(loaded.abi); module.json says \(manifest.abi). Recompile "
        + "it with this host's SDK: agent build \(manifest.name)."
    }
    guard loaded.name == manifest.name else {
      return "The library calls itself \"\(loaded.name)\"; module.json says "
        + "\"\(manifest.name)\"."
    }
    guard loaded.version == manifest.version.description else {
      return "The library is version \(loaded.version); module.json says \(manifest.version). "
        + "Build it again: agent build \(manifest.name)."
    }
    // The usual case, without sets: what is said is what is declared, in the same order.
    if loaded.contributions.elementsEqual(manifest.contributions.lazy.map(\.wireName)) {
      return nil
    }
    let declared = Set(manifest.contributions.map(\.wireName))
    let offered = Set(loaded.contributions)
    let missing = declared.subtracting(offered).map(\.description).sorted()
    guard missing.isEmpty else {
      return "module.json names \(missing.joined(separator: ", ")), which the library doesn't "
        + "have. Build it again: agent build \(manifest.name)."
    }
    // A worker counts the functions that it was told to serve among the actions.
    let known = Set(manifest.offers.map(\.wireName))
    let undeclared = offered.subtracting(known).map(\.description).sorted()
    guard undeclared.isEmpty else {
      return "The library has \(undeclared.joined(separator: ", ")), which module.json doesn't "
        + "name. Declare it there with the schema of its settings."
    }
    return nil
  }
}

extension Contribution {
  package var wireName: ContributionName { ContributionName(kind.wire, name) }
}

extension ContributionKind {
  var wire: WireKind {
    switch self {
    case .datasource: .datasource
    case .monitor: .monitor
    case .logicAdapter: .logicAdapter
    case .action: .action
    case .notifier: .notifier
    case .strategy: .strategy
    case .route: .route
    }
  }
}
