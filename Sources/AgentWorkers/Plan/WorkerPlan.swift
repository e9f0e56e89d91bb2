package import AgentModules
package import AgentWorkerProtocol
internal import Synchronization

/// The plan of a worker: its module, and the contributions that it serves.
///
/// Rationale: it is a class, because the host, the supervisor and each link hold the same plan.
package final class WorkerPlan: Sendable {
  /// The name of the process in the settings, or `module:NAME`.
  package let name: String
  package let configurations: [Configure]
  /// Whether the program that is started enters the sandbox and reports the level that the sandbox
  /// has reached. A command without a sandbox is started itself.
  package let reportsSandbox: Bool
  private let shared: Shared

  /// The part of a plan that hundreds of workers may share.
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

  /// The configurations that the host sends together with LOAD. Nil until the LOADED of a worker
  /// has matched the module's manifest.
  var configurationsAhead: [Configure]? {
    shared.isConfirmed.load(ordering: .relaxed) ? configurations : nil
  }

  /// Creates a plan. If it has the manifest and the LOAD of `other`, the two plans share these.
  init(
    name: String, manifest: Manifest, load: Load, configurations: [Configure],
    reportsSandbox: Bool = false, sharingWith other: WorkerPlan? = nil
  ) {
    self.name = name
    self.reportsSandbox = reportsSandbox
    self.configurations = configurations
    // The manifests are compared by identity, which is enough. When the settings are read again,
    // all manifests are new, and the new plans share them among themselves.
    if let other, other.manifest === manifest, other.load == load {
      shared = other.shared
    } else {
      shared = Shared(manifest, load)
    }
  }

  /// Returns ``difference(to:)``. If there is no difference, the plan remembers that.
  func confirm(_ loaded: Loaded) -> String? {
    let difference = difference(to: loaded)
    if difference == nil { shared.isConfirmed.store(true, ordering: .relaxed) }
    return difference
  }

  /// Compares LOADED with the manifest. Returns the difference as a sentence, or nil if there is
  /// none. The host refuses a library that differs from its manifest before any code of the library
  /// that uses settings has run.
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
    // The usual case needs no sets: LOADED has the declared contributions in the declared order.
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
    // A worker counts the functions that LOAD names among the actions.
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
