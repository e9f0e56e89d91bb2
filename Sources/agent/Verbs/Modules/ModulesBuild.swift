internal import AgentBuild
internal import AgentModules
internal import AgentSettings

/// Builds the modules that the agent needs.
enum ModulesBuild {
  /// Builds the enabled modules whose libraries are missing or older than their sources.
  ///
  /// If a module can't be built, the others still start. The problem is printed here, and its
  /// processes report it again.
  static func prepare(_ folder: AgentFolder) {
    guard let catalog = SettingsFile.load(folder).catalog else { return }
    let builder = ModuleBuilder()
    for manifest in catalog.modules where builder.needsBuild(manifest) {
      Terminal.remark("building \(manifest.name)")
      do {
        let report = try Build.build(manifest)
        if let product = report.product { Terminal.remark("built \(product)") }
      } catch let failure as Failure {
        Terminal.complain(failure.message)
      } catch {
        Terminal.complain("\(error)")
      }
    }
  }
}
