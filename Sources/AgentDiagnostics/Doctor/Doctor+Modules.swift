internal import AgentJSON
internal import AgentModuleLoader
internal import AgentModules
internal import AgentSettings
internal import Glibc

/// Checks whether the enabled modules can run.
extension Doctor {
  func modules() -> [DoctorFinding] {
    let modules = settings.catalog?.modules ?? []
    let packages = SystemPackages()
    let findings = modules.flatMap { code(of: $0) + requirements(of: $0, packages) }
    return findings.or("modules", "\(modules.count) modules are present and up to date.")
  }

  private func code(of manifest: Manifest) -> [DoctorFinding] {
    let name = "module:\(manifest.name)"
    let build = "agent build \(manifest.name)"
    switch manifest.entry {
    case .functionsOnly: return []
    case .command(let words):
      guard let program = words.first, Programs.find(program, beside: manifest.directory) == nil
      else { return [] }
      return [
        DoctorFinding(
          name, .problem, sentence: "Its command \(program) isn't there, or can't be executed.",
          remedy: "Install it, make it executable, or correct \"command\" in \(manifest.file).")
      ]
    case .library(let library):
      guard let path = manifest.libraryPath, access(path, F_OK) == 0 else {
        return [
          DoctorFinding(name, .problem, sentence: "\(library) isn't built yet.", remedy: build)
        ]
      }
      if let error = LibraryInspection.problem(of: path, module: manifest.name) {
        return [DoctorFinding(name, .problem, sentence: error.description, remedy: build)]
      }
      guard needsBuild(manifest) else { return [] }
      return [
        DoctorFinding(
          name, .warning, sentence: "\(library) is older than its sources.",
          remedy: "\(build); a running agent loads it with: agent module reload \(manifest.name)")
      ]
    }
  }

  private func requirements(
    of manifest: Manifest, _ packages: SystemPackages
  ) -> [DoctorFinding] {
    let missing = manifest.requires.packages.filter { !packages.has($0) }
    guard !missing.isEmpty else { return [] }
    return [
      DoctorFinding(
        "module:\(manifest.name)", .problem,
        sentence: "It needs packages that aren't installed: \(missing.joined(separator: ", ")).",
        remedy: "apt-get install \(missing.joined(separator: " "))")
    ]
  }

  /// Returns findings from the health that modules report, and from parts without another check.
  func moduleHealth() -> [DoctorFinding] {
    let looked = ["host", "store", "event_log", "log_files", "disk"]
    return (diagnostics?["health"]?["components"]?.array ?? []).compactMap { component in
      let name = component["name"]?.string ?? ""
      let isLookedAt =
        looked.contains(name)
        || ["process:", "module:", "listener:"].contains { name.hasPrefix($0) }
      guard !isLookedAt, let state = HealthState(rawValue: component["state"]?.string ?? ""),
        state >= .degraded
      else { return nil }
      return DoctorFinding(
        name, state == .failing ? .problem : .warning,
        sentence: component["reason"]?.string ?? "It is \(state.rawValue).",
        remedy: name == "notifications"
          ? "agent notify deliveries" : "\"agent logs\" may say more.")
    }
  }
}
