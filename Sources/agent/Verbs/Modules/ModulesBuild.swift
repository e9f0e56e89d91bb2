internal import AgentBuild
internal import AgentModules
internal import AgentWorkers

/// Builds the modules that the agent needs.
enum ModulesBuild {
  /// How long all builds of a start may take. Each run of a compiler has a limit of its own.
  private static let limit = Duration.seconds(1_800)

  /// Builds the modules whose libraries are missing or older than their sources.
  ///
  /// If a module can't be built, the others still start. The problem is printed here, and its
  /// processes report it again.
  /// - Parameter enter: is told what is done next.
  static func prepare(
    _ catalog: ModuleCatalog, enter: @escaping @Sendable (String) -> Void = { _ in }
  ) async {
    do {
      try await FileDeadline.run(or: "Not every module is built", for: "build", within: limit) {
        let builder = ModuleBuilder()
        for manifest in catalog.modules {
          enter("the build of \(manifest.name)")
          if builder.needsBuild(manifest) { build(manifest) }
        }
      }
    } catch {
      Terminal.complain(error.message)
    }
  }

  private static func build(_ manifest: Manifest) {
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
