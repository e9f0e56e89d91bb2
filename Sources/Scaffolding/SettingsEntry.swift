internal import AgentJSON
internal import AgentModules
internal import AgentSettings

/// The settings that enable a module: its processes and its own settings, from its example.
struct SettingsEntry {
  private let module: String
  private let processes: JSONObject
  private let configured: JSONValue?

  /// Reads the module's `settings.example.json`.
  /// - Throws: `ScaffoldError` with `settings` if the file can't be read or isn't JSON.
  init(module: String, example: String) throws(ScaffoldError) {
    let document = try Self.document(example)
    self.module = module
    processes = document.root["processes"]?.value.object ?? [:]
    configured = document.root["modules"]?[module]?.value
  }

  /// The entry as text that a person can add by hand.
  var text: String {
    var entry: JSONObject = ["enabled_modules": [.string(module)]]
    if !processes.isEmpty { entry["processes"] = .object(processes) }
    if let configured { entry["modules"] = [module: configured] }
    return JSONValue.object(entry).text(pretty: true)
  }

  /// Adds the entry to an agent's `settings.json`, whose layout stays. If the name of a process is
  /// taken, the module's name is put in front of it.
  func add(toSettingsOf agent: String) throws(ScaffoldError) {
    let file = FileSystem.join(agent, "settings.json")
    let document = try Self.document(file)
    do {
      var editor = SettingsEditor(document)
      try editor.enableModule(module)
      var edited = editor.document
      if edited.root["processes"] == nil, !processes.isEmpty {
        edited = try edited.setting(JSONPointer(tokens: ["processes"]), to: .object([:]))
      }
      for (name, settings) in processes {
        let isTaken = edited.root["processes"]?[name] != nil
        let pointer = JSONPointer(tokens: ["processes", isTaken ? "\(module)_\(name)" : name])
        edited = try edited.setting(pointer, to: settings)
      }
      if let configured {
        if edited.root["modules"] == nil {
          edited = try edited.setting(JSONPointer(tokens: ["modules"]), to: .object([:]))
        }
        edited = try edited.setting(JSONPointer(tokens: ["modules", module]), to: configured)
      }
      try Folder.write(Array(edited.text.utf8), to: file)
    } catch let error as ScaffoldError {
      throw error
    } catch {
      throw ScaffoldError(.settings, "\(file) could not be changed: \(error)")
    }
  }

  /// Adds a user with the role `administrator`. A new agent has no `access` yet; an existing one
  /// would be replaced.
  static func add(
    administrator name: String, hash: String, toSettingsOf agent: String
  ) throws(ScaffoldError) {
    let file = FileSystem.join(agent, "settings.json")
    let user: JSONValue = ["role": "administrator", "password": .string(hash)]
    do {
      let edited = try document(file).setting(
        JSONPointer(tokens: ["access"]), to: ["users": .object([name: user])])
      try Folder.write(Array(edited.text.utf8), to: file)
    } catch let error as ScaffoldError {
      throw error
    } catch {
      throw ScaffoldError(.settings, "\(file) could not be changed: \(error)")
    }
  }

  private static func document(_ file: String) throws(ScaffoldError) -> JSONDocument {
    do {
      return try JSONDocument(parsing: try FileSystem.read(file))
    } catch {
      let reason = (error as? FileFailure)?.message ?? "\(error)"
      throw ScaffoldError(.settings, "\(file): \(reason)")
    }
  }
}
