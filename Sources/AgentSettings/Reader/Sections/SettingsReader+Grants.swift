import AgentJSON
import AgentModules
import AgentText
import JSONSchema

extension SettingsReader {
  /// The only other right that a module may be granted beside types of tasks.
  private static let strategy = "assignment_strategy"

  /// Checks the names in grants. A misspelled grant would permit nothing without any message.
  mutating func checkGrants(of modules: [ModuleSettings], _ types: [TaskTypeSettings]) {
    let actions = modules.flatMap { module in
      module.enabledContributions.filter { $0.contribution.kind == .action }.flatMap {
        [$0.contribution.name, "\(module.manifest.name)/\($0.contribution.name)"]
      }
    }
    let known = ["command", "http", Self.strategy] + types.map(\.name) + actions
    for module in modules {
      for (index, grant) in module.taskTypes.enumerated() where !known.contains(grant) {
        let nearest = NameSuggestion.of(grant, among: known)
        add(
          "unknown_task_type",
          at: ["modules", module.manifest.name, "permissions", "tasks", "\(index)"],
          message: "there is no type of tasks \"\(grant)\" that could be granted."
            + NameSuggestion.question(
              nearest,
              otherwise:
                " Write command, http, a type of tasks.types, an action, or \(Self.strategy)."),
          expected: known.joined(separator: ", "), found: "\"\(grant)\"", suggestion: nearest,
          severity: .warning)
      }
    }
  }
}
