package import AgentJSON
package import AgentModules

/// One change of `settings.json` that keeps its layout.
package enum SettingsEdit: Sendable {
  case enableProcess(name: String)
  case disableProcess(name: String)
  case addProcess(name: String, type: String)
  case removeProcess(name: String)
  case enableModule(name: String)
  case disableModule(name: String)
  /// A merge patch (RFC 7396).
  case merge(JSONObject)

  /// The settings with the change made; nothing is written.
  /// - Parameter version: the version that the file must have; any when it isn't given.
  /// - Throws: a `Problem`; its code is `not_found` when there is no such process or module,
  ///   `precondition_failed` when the file is another version.
  package func apply(
    to folder: AgentFolder, of version: String? = nil
  ) throws(Problem) -> JSONDocument {
    let result = SettingsFile.load(folder)
    if let version, result.version != version {
      throw Problem(
        "precondition_failed", file: folder.settingsName,
        message: "somebody else has changed it. Read it again, and repeat the change.")
    }
    guard let document = result.document else {
      throw result.problems.first
        ?? Problem("settings_missing", file: folder.settingsName, message: "can't be read.")
    }
    // The other edits carry names only, no values.
    if case .merge(let patch) = self { try Self.refusePlaceholders(patch, folder) }
    var editor = SettingsEditor(document)
    do {
      switch self {
      case .enableProcess(let name): try editor.enableProcess(name)
      case .disableProcess(let name): try editor.disableProcess(name)
      case .removeProcess(let name): try editor.removeProcess(name)
      case .enableModule(let name): try editor.enableModule(name)
      case .disableModule(let name): try editor.disableModule(name)
      case .merge(let patch): try editor.merge(patch)
      case .addProcess(let name, let type):
        let catalog = result.catalog ?? ModuleCatalog(folder: folder.path, enabled: [])
        try editor.addProcess(name, type: type, in: catalog)
      }
    } catch {
      let isMissing = error.code == .unknownProcess || error.code == .unknownModule
      throw Problem(
        isMissing ? "not_found" : error.code.rawValue, file: folder.settingsName,
        message: error.message)
    }
    return editor.document
  }

  /// Refuses the placeholder that settings are shown with in place of a secret. It comes from a
  /// copy of such settings, and would overwrite the secret.
  private static func refusePlaceholders(
    _ patch: JSONObject, _ folder: AgentFolder
  ) throws(Problem) {
    guard let place = placeholder(in: .object(patch), at: []) else { return }
    var problem = Problem(
      "secret_placeholder", file: folder.settingsName, path: place.joined(separator: "."),
      message:
        "\(Redactor.replacement) stands for a secret that isn't shown. Leave the key out to keep "
        + "its value, or write the value, or ${secret:NAME} with the value in .env.",
      found: "\"\(Redactor.replacement)\"")
    problem.pointer = JSONPointer(tokens: place)
    throw problem
  }

  private static func placeholder(in value: JSONValue, at place: [String]) -> [String]? {
    switch value {
    case .string(let text): return text.contains(Redactor.replacement) ? place : nil
    case .array(let values):
      for (index, value) in values.enumerated() {
        if let found = placeholder(in: value, at: place + ["\(index)"]) { return found }
      }
    case .object(let object):
      for (key, value) in object {
        if let found = placeholder(in: value, at: place + [key]) { return found }
      }
    default: break
    }
    return nil
  }
}
