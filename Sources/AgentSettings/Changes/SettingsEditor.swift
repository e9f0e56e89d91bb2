public import AgentJSON
public import AgentModules
import AgentText
import JSONSchema

/// Why an edit of the settings is refused.
public struct SettingsEditError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason, for programs.
  public enum Code: String, Sendable, Hashable {
    case unknownProcess, unknownModule, nameTaken, invalidName, unknownType, wrongShape
  }

  public let code: Code
  /// A sentence for the person who asked for the edit.
  public let message: String

  /// The message.
  public var description: String { message }
}

/// Changes settings and keeps the layout of all other parts.
///
/// It edits only a text. The caller checks the result and writes the file.
public struct SettingsEditor: Sendable {
  /// The settings with all edits.
  public private(set) var document: JSONDocument

  /// Makes an editor of these settings.
  public init(_ document: JSONDocument) { self.document = document }

  /// The text with all edits.
  public var text: String { document.text }

  // MARK: Processes

  /// Enables a process.
  public mutating func enableProcess(_ name: String) throws(SettingsEditError) {
    try setEnabled(true, process: name)
  }

  /// Disables a process. Its settings stay.
  public mutating func disableProcess(_ name: String) throws(SettingsEditError) {
    try setEnabled(false, process: name)
  }

  /// Removes a process and its settings.
  public mutating func removeProcess(_ name: String) throws(SettingsEditError) {
    _ = try process(name)
    try remove(["processes", name])
  }

  /// Adds a process with the keys that its module's schema requires. The values are those of the
  /// manifest's example, then the schema's defaults, examples and least values. Returns the
  /// settings that were written. The caller checks them, because a schema may have further rules.
  @discardableResult
  public mutating func addProcess(
    _ name: String, type: String, contribution: Contribution, enabled: Bool = true
  ) throws(SettingsEditError) -> JSONValue {
    guard ProcessName.isValid(name) else {
      throw SettingsEditError(
        code: .invalidName,
        message: "\"\(name)\" can't be a process's name: a letter, then letters, digits, _ . and -,"
          + " at most 64.")
    }
    if document.root["processes"]?[name] != nil {
      throw SettingsEditError(
        code: .nameTaken, message: "There is a process \"\(name)\" already. Choose another name.")
    }
    var entry: JSONObject = ["type": .string(type), "enabled": .bool(enabled)]
    for (key, value) in SettingsExample(of: contribution).value where entry[key] == nil {
      entry[key] = value
    }
    try set(["processes", name], to: .object(entry))
    return .object(entry)
  }

  /// Adds a process whose type is looked up among the enabled modules.
  @discardableResult
  public mutating func addProcess(
    _ name: String, type: String, in catalog: ModuleCatalog
  ) throws(SettingsEditError) -> JSONValue {
    switch catalog.resolve(type: type) {
    case .found(_, let contribution):
      return try addProcess(name, type: type, contribution: contribution)
    case .ambiguous(let names):
      throw unknownType("Several modules offer \"\(type)\": \(names.joined(separator: ", ")).")
    case .notEnabled(let module):
      throw unknownType(
        "The module \"\(module)\" offers \"\(type)\" but isn't enabled:"
          + " agent module enable \(module)")
    case .otherKind(let manifest, let other):
      throw unknownType(
        "\"\(type)\" is \(other.kind.phrase) of \"\(manifest.name)\", not a process.")
    case .unknown(let nearest):
      throw unknownType(
        "No enabled module offers a process \"\(type)\"."
          + NameSuggestion.question(nearest))
    }
  }

  private func unknownType(_ message: String) -> SettingsEditError {
    SettingsEditError(code: .unknownType, message: message)
  }

  private mutating func setEnabled(
    _ enabled: Bool, process name: String
  ) throws(SettingsEditError) {
    let entry = try process(name)
    // True is the default and needn't be written.
    if enabled && entry["enabled"] == nil { return }
    try set(["processes", name, "enabled"], to: .bool(enabled))
  }

  private func process(_ name: String) throws(SettingsEditError) -> JSONNode {
    let processes = document.root["processes"]
    if let entry = processes?[name] { return entry }
    let names = processes?.members.map(\.key) ?? []
    let nearest = NameSuggestion.question(NameSuggestion.of(name, among: names))
    throw SettingsEditError(
      code: .unknownProcess, message: "There is no process \"\(name)\".\(nearest)")
  }

  // MARK: Modules

  /// Enables a module by its name or path. Does nothing if it is enabled already.
  public mutating func enableModule(_ name: String) throws(SettingsEditError) {
    guard let list = document.root["enabled_modules"] else {
      return try set(["enabled_modules"], to: [.string(name)])
    }
    guard list.kind == .array else {
      throw SettingsEditError(
        code: .wrongShape, message: "enabled_modules isn't a list. Repair it first.")
    }
    if Self.index(of: name, in: list.elements.map { $0.string }) != nil { return }
    try set(["enabled_modules", "-"], to: .string(name))
  }

  /// Disables a module. Its settings stay. A module that was enabled by a path is found by that
  /// path, or by the last name in it.
  public mutating func disableModule(_ name: String) throws(SettingsEditError) {
    let listed = document.root["enabled_modules"]?.elements.map { $0.string } ?? []
    let index = Self.index(of: name, in: listed)
    guard let index else {
      let nearest = NameSuggestion.of(name, among: listed.compactMap(\.self))
      throw SettingsEditError(
        code: .unknownModule,
        message: "The module \"\(name)\" isn't enabled."
          + NameSuggestion.question(nearest))
    }
    try remove(["enabled_modules", String(index)])
  }

  /// Disables a module and removes its settings.
  public mutating func removeModule(_ name: String) throws(SettingsEditError) {
    try disableModule(name)
    let module = FileSystem.lastName(name)
    if document.root["modules"]?[module] != nil { try remove(["modules", module]) }
  }

  /// Returns the position of a module in the list. The last name of a path counts as the module's
  /// name, because the manifest isn't read here.
  private static func index(of name: String, in listed: [String?]) -> Int? {
    listed.firstIndex(of: name)
      ?? listed.firstIndex {
        $0.map { $0.contains("/") && FileSystem.lastName($0) == name } ?? false
      }
  }

  // MARK: Anything

  /// Applies a merge patch (RFC 7396): a value replaces the present one, and null removes it.
  public mutating func merge(_ patch: JSONObject) throws(SettingsEditError) {
    let old = document.root.value
    for (key, change) in patch {
      if !change.isNull {
        try set([key], to: (old[key] ?? .null).merging(patch: change))
      } else if old[key] != nil {
        try remove([key])
      }
    }
  }

  // MARK: The text

  private mutating func set(_ path: [String], to value: JSONValue) throws(SettingsEditError) {
    do throws(JSONEditError) {
      document = try document.setting(JSONPointer(tokens: path), to: value)
    } catch {
      throw SettingsEditError(code: .wrongShape, message: error.message)
    }
  }

  private mutating func remove(_ path: [String]) throws(SettingsEditError) {
    do throws(JSONEditError) {
      document = try document.removing(JSONPointer(tokens: path))
    } catch {
      throw SettingsEditError(code: .wrongShape, message: error.message)
    }
  }
}
