internal import AgentDiagnostics
internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentSystem
internal import ArgumentParser
internal import Glibc

extension Module {
  /// Packs a module into one file.
  struct Pack: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pack", abstract: "Pack a module into one file, NAME-VERSION.agentmodule.",
      discussion: """
        Example: agent module pack system
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The module, by name or path.") var name: String
    @Option(help: "The folder for the file.") var output = "."

    func run() throws {
      let directory = try ModuleFolder.find(name, in: try common.folder())
      do {
        let file = try ModulePackage.pack(folder: directory).write(into: output)
        common.show(["file": .string(file)]) { _ in "\(file) is written." }
      } catch {
        throw Packaging.failure(error)
      }
    }
  }

  /// Installs a module from a package or a folder.
  struct Install: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract: "Install a module from a package or a folder into modules/.",
      discussion: """
        Shows the module's permissions before anything is installed. Enable it afterwards, or with \
        --enable. Never overwrites.

        Example: agent module install system-0.1.0.agentmodule
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "A package file or a module's folder.") var path: String
    @Flag(help: "Also enable it in the settings.") var enable = false

    func run() async throws {
      let folder = try common.folder()
      let modules = folder.path + "/modules"
      let permissions = PermissionText.inForce(in: folder)
      let manifest: Manifest
      do {
        let package = try ModulePackage.load(path)
        // The rights of the module are printed before anything is written. The user decides
        // afterwards whether to enable it.
        let name = "\(package.manifest.name) \(package.manifest.version)"
        for line in permissions.lines(of: package.manifest) {
          Terminal.remark("\(name) may \(line)")
        }
        mkdir(modules, 0o755)
        manifest = try ModulePackage.installed(by: package, into: modules)
      } catch {
        throw Packaging.failure(error)
      }
      common.show([
        "module": .string(manifest.name), "version": .string("\(manifest.version)"),
        "permissions": .array(permissions.lines(of: manifest).map { .string($0) }),
      ]) { _ in
        (["\(manifest.name) \(manifest.version) is installed in \(manifest.directory)."]
          + (enable ? [] : ["Enable it with: agent module enable \(manifest.name)"]))
          .joined(separator: "\n")
      }
      if enable { try await SettingsEdit.apply(.enableModule(name: manifest.name), common) }
    }
  }

  /// Removes a module's folder.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a module that isn't enabled, with its folder.",
      discussion: """
        Example: agent module remove system
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The module.") var name: String

    func run() throws {
      let folder = try common.folder()
      let directory = try ModuleFolder.find(name, in: folder)
      guard directory.hasPrefix(folder.path + "/modules/") else {
        throw Failure("\(directory) isn't in this agent's modules folder; remove it by hand.")
      }
      let catalog = SettingsFile.load(folder).catalog
      if catalog?.modules.contains(where: { $0.directory == directory }) == true {
        throw Failure("\(name) is enabled. First: agent module disable \(name)")
      }
      guard Files.removeFolder(directory) else {
        throw Failure("\(directory) can't be removed: \(SystemError.text(errno)).")
      }
      common.show(["removed": .string(directory)]) { _ in "\(directory) is removed." }
    }
  }
}

/// Code that packing, installing and removing share.
private enum Packaging {
  static func failure(_ error: ModulePackageError) -> Failure {
    Failure(([error.message] + error.problems.map(\.description)).joined(separator: "\n  "))
  }
}
