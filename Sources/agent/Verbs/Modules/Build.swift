internal import AgentBuild
internal import AgentJSON
internal import AgentModules
internal import AgentHost
internal import AgentSettings
internal import ArgumentParser
internal import NIOCore
internal import NIOHTTP1

/// Builds a module of this agent.
struct Build: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build", abstract: "Build modules against the SDK of this installation.",
    discussion: """
      Uses swiftc for Swift, cc for C and C++; checks Python syntax. A running agent replaces the \
      module's workers after the build.

      Example: agent build system
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "Modules, by name or path; by default, every enabled one that needs a build.")
  var names: [String] = []

  func run() async throws {
    let folder = try common.folder()
    let manifests =
      names.isEmpty
      ? (SettingsFile.load(folder).catalog?.modules ?? [])
        .filter { ModuleBuilder().needsBuild($0) }
      : try names.map { try ModuleFolder.manifest($0, in: folder) }
    var built: [JSONValue] = []
    for manifest in manifests {
      let report = try Self.build(manifest)
      built.append([
        "module": .string(report.module), "product": report.product.map { .string($0) } ?? .null,
      ])
      if !common.json {
        let otherwise = report.isChecked ? "checked" : "nothing to build"
        Terminal.print("\(manifest.name): \(report.product.map { "built \($0)" } ?? otherwise)")
      }
      try await Self.swap(manifest, common)
    }
    if common.json { Terminal.json(["built": .array(built)], pretty: true) }
    if manifests.isEmpty && !common.json { Terminal.print("Every enabled module is built.") }
  }

  /// Builds one module. The compiler's messages go to standard error.
  static func build(_ manifest: Manifest) throws -> BuildReport {
    do {
      let report = try ModuleBuilder().build(manifest)
      if !report.diagnostics.isEmpty { Terminal.remark(report.diagnostics) }
      return report
    } catch {
      throw Failure(error.description)
    }
  }

  /// Makes a running host use the new build.
  static func swap(_ manifest: Manifest, _ common: CommonOptions) async throws {
    guard let host = try common.host() else { return }
    let status = try await host.request(.GET, "modules")
    let isEnabled = (status["modules"]?.array ?? []).contains {
      $0["name"]?.string == manifest.name && $0["enabled"]?.bool == true
    }
    guard isEnabled else { return }
    let report = try await host.request(
      .POST, "modules/\(HostClient.escaped(manifest.name))/reload", timeout: .minutes(5))
    if !common.json { Terminal.print(ReloadText.text(report)) }
    if ReloadText.hasProblems(report) { throw Failure.alreadySaid }
  }
}

/// Builds a module after each change and reloads it in the running agent.
struct Dev: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dev",
    abstract: "Watch a module: build and reload it when it changes, show its log.",
    discussion: """
      Without a running agent it only builds, and neither reloads nor shows the log. Ctrl-C stops \
      it.

      Example: agent dev system
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The module, by name or path.")
  var name: String

  func run() async throws {
    let folder = try common.folder()
    let directory = try ModuleFolder.find(name, in: folder)
    let changes = try FolderWatch(directory)
    await round(folder)
    let shower = Task { await showLog() }
    defer { shower.cancel() }
    Terminal.remark("Watching \(directory). Ctrl-C stops it.")
    while await changes.next() { await round(folder) }
  }

  /// Builds and reloads once. A failure is printed, and the next change starts a new attempt.
  private func round(_ folder: AgentFolder) async {
    do {
      let manifest = try ModuleFolder.manifest(name, in: folder)
      let report = try Build.build(manifest)
      if let product = report.product { Terminal.remark("built \(product)") }
      try await Build.swap(manifest, common)
    } catch let failure as Failure {
      Terminal.complain(failure.message)
    } catch {
      Terminal.complain("\(error)")
    }
  }

  private func showLog() async {
    guard let host = try? common.host(), let folder = try? common.folder(),
      let module = try? ModuleFolder.manifest(name, in: folder).name,
      let status = try? await host.request(.GET, "status")
    else { return }
    let names = Set(
      (status["processes"]?.array ?? []).filter { $0["module"]?.string == module }
        .compactMap { $0["name"]?.string })
    try? await host.lines("logs") { line in
      guard let record = try? JSONValue(parsing: String(line)),
        names.contains(record["source"]?.string ?? "")
      else { return true }
      Terminal.print(LogFiles.line(record))
      return true
    }
  }
}
