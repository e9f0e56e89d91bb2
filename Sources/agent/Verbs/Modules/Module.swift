internal import AgentDiagnostics
internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentText
internal import ArgumentParser

/// The verbs for modules.
struct Module: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "module", abstract: "List, show, check, enable, install and remove modules.",
    discussion: """
      enable and disable edit settings.json and keep its layout.

      Example: agent module list
      """,
    subcommands: [
      List.self, Show.self, Check.self, Enable.self, Disable.self, Pack.self, Install.self,
      Remove.self,
    ])

  /// Lists the modules in the agent's folder.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the modules of this agent, enabled or not.",
      discussion: """
        Each module is listed with its permissions outside its folder.

        Example: agent module list
        """)
    @OptionGroup var common: CommonOptions

    func run() throws {
      let folder = try common.folder()
      let result = SettingsFile.load(folder)
      let enabled = result.catalog?.modules ?? []
      let permissions = PermissionText(enabled: enabled, agent: folder.path)
      let names = Set(enabled.map(\.name))
      let others = (result.catalog?.installedModules ?? []).compactMap(\.manifest).filter {
        !names.contains($0.name)
      }
      let isolation = { (name: String) in
        result.settings?.module(name)?.isolation.rawValue ?? "worker"
      }
      let value: JSONValue = [
        "modules": .array(
          enabled.map {
            ModuleText.json(
              $0, isEnabled: true, isolation: isolation($0.name), permissions: permissions)
          }
            + others.map {
              ModuleText.json(
                $0, isEnabled: false, isolation: "worker", permissions: permissions)
            })
      ]
      common.show(value) { _ in
        let rows = (enabled + others).map { manifest in
          [
            manifest.name, "\(manifest.version)",
            names.contains(manifest.name) ? "enabled" : "disabled",
            ([manifest.title] + permissions.lines(of: manifest).map { "may \($0)" })
              .joined(separator: "; "),
          ]
        }
        return rows.isEmpty
          ? "There is no module yet; add-agent-module creates one." : Terminal.table(rows)
      }
    }
  }

  /// Shows one module.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show a module's contributions, requirements and permissions.",
      discussion: """
        Example: agent module show system
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The module, by name or path.") var name: String

    func run() throws {
      let folder = try common.folder()
      let manifest = try ModuleFolder.manifest(name, in: folder)
      let enabled = SettingsFile.load(folder).catalog?.modules ?? []
      let isEnabled = enabled.contains { $0.name == manifest.name }
      let permissions = PermissionText(enabled: enabled, agent: folder.path)
      let value = ModuleText.json(
        manifest, isEnabled: isEnabled, isolation: "worker", permissions: permissions)
      common.show(value) { _ in text(manifest, isEnabled: isEnabled, permissions: permissions) }
    }

    private func text(
      _ manifest: Manifest, isEnabled: Bool, permissions: PermissionText
    ) -> String {
      var lines = [
        "\(manifest.name) \(manifest.version), \(isEnabled ? "enabled" : "disabled"): "
          + manifest.title
      ]
      if !manifest.description.isEmpty { lines.append(manifest.description) }
      lines.append("folder: \(manifest.directory)")
      for offer in manifest.offers {
        let kind = offer.kind.rawValue.replacing("_", with: " ")
        lines.append("\(kind) \(offer.name): \(offer.title)")
        if let example = offer.example {
          lines.append("  example: \(example.string ?? example.text())")
        }
      }
      lines += permissions.lines(of: manifest).map { "may \($0)" }
      return lines.map(VisibleText.line).joined(separator: "\n")
    }
  }

  /// Enables a module.
  struct Enable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "enable", abstract: "Enable a module in the settings.",
      discussion: """
        Example: agent module enable system
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The module, by name or path.") var name: String

    func run() async throws {
      let folder = try common.folder()
      let manifest = try ModuleFolder.manifest(name, in: folder)
      for line in PermissionText.inForce(in: folder).lines(of: manifest) {
        Terminal.remark("\(manifest.name) may \(line)")
      }
      try await SettingsEdit.apply(.enableModule(name: name), common)
    }
  }

  /// Disables a module.
  struct Disable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "disable", abstract: "Disable a module in the settings.",
      discussion: """
        Refused while the settings have processes of this module.

        Example: agent module disable system
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The module's name in the settings.") var name: String
    func run() async throws { try await SettingsEdit.apply(.disableModule(name: name), common) }
  }
}

extension PermissionText {
  /// Returns the text of permissions beside the modules that an agent's settings enable.
  static func inForce(in folder: AgentFolder) -> PermissionText {
    PermissionText(enabled: SettingsFile.load(folder).catalog?.modules ?? [], agent: folder.path)
  }
}
