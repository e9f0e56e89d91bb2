import AgentJSON
import AgentModules
import JSONSchema
import TestSupport
import Testing

/// An agent's folder with command modules, each offering processes of these names.
private func agent(_ modules: [String: String]) throws -> TestFolder {
  let folder = try TestFolder()
  for (name, members) in modules {
    try folder.write(
      "modules/\(name)/module.json",
      "{\"name\": \"\(name)\", \"version\": \"1.2.0\", \"command\": [\"x\"], \(members)}")
  }
  return folder
}

private func process(_ name: String) -> String {
  "\"processes\": {\"\(name)\": {\"kind\": \"monitor\"}}"
}

private func catalog(_ folder: TestFolder, _ enabled: [String]) -> ModuleCatalog {
  ModuleCatalog(
    folder: folder.path, named: ".",
    enabled: enabled.enumerated().map {
      ModuleReference(
        $1, file: "settings.json", at: JSONPointer(tokens: ["enabled_modules", "\($0)"]))
    })
}

@Test func `a type is found by its name, or by module and name`() throws {
  let folder = try agent(["a": process("alarm"), "b": process("other")])
  let catalog = catalog(folder, ["a", "./modules/b"])
  #expect(catalog.problems.isEmpty)
  for type in ["alarm", "a/alarm"] {
    guard case .found(let manifest, let contribution) = catalog.resolve(type: type) else {
      Issue.record("\(type) isn't found")
      continue
    }
    #expect(manifest.name == "a" && contribution.name == "alarm")
  }
}

@Test func `two modules that offer one type are distinguished by module name`() throws {
  let folder = try agent(["a": process("alarm"), "b": process("alarm")])
  guard case .ambiguous(let names) = catalog(folder, ["a", "b"]).resolve(type: "alarm") else {
    Issue.record("alarm isn't ambiguous")
    return
  }
  #expect(names == ["a/alarm", "b/alarm"])
}

@Test func `a type of a disabled module names the module`() throws {
  let folder = try agent(["a": process("alarm"), "b": process("watch")])
  for type in ["watch", "b/watch"] {
    guard case .notEnabled("b") = catalog(folder, ["a"]).resolve(type: type) else {
      Issue.record("\(type) isn't told as b's")
      continue
    }
  }
}

@Test func `an unknown type is reported with the nearest one`() throws {
  let folder = try agent(["a": process("krakenfx")])
  guard case .unknown("krakenfx") = catalog(folder, ["a"]).resolve(type: "krakenfxx"),
    case .unknown(nil) = catalog(folder, ["a"]).resolve(type: "zzz")
  else {
    Issue.record("the nearest name is wrong")
    return
  }
}

@Test func `an action is not a process`() throws {
  let folder = try agent(["a": "\"actions\": {\"export\": {}}"])
  guard case .otherKind(_, let other) = catalog(folder, ["a"]).resolve(type: "export") else {
    Issue.record("export passes for a process")
    return
  }
  #expect(other.kind == .action)
}

@Test func `a missing folder, a folder that is no module and a duplicate module are named`() throws
{
  let folder = try agent(["trades": process("p"), "c": process("q")])
  try folder.write("modules/notes/readme.txt", "")
  let problems = catalog(folder, ["trade", "notes", "c", "./modules/c"]).problems
  #expect(
    problems.map(\.description) == [
      "settings.json: enabled_modules[0]: there is no folder modules/trade."
        + " Did you mean \"trades\"?",
      "settings.json: enabled_modules[1]: modules/notes has no module.json, so it isn't a module."
        + " `add-agent-module` writes one.",
      "settings.json: enabled_modules[3]: the module \"c\" is enabled already, as \"c\"."
        + " Remove one of the two.",
    ])
}

@Test func `a module whose name differs from its folder is refused`() throws {
  let folder = try agent(["a": process("p")])
  try folder.write(
    "modules/b/module.json", "{\"name\": \"a\", \"version\": \"1.0.0\", \"command\": [\"x\"]}")
  #expect(catalog(folder, ["b"]).problems.map(\.code) == ["module_name_mismatch"])
}

@Test(arguments: [
  ("\">=2\"", ["a", "b"], "module_version"),
  ("\">=1\"", ["a"], "module_not_enabled"),
  ("\">=1\"", ["a", "b"], nil),
])
func `a module's requirements are checked`(range: String, enabled: [String], code: String?) throws {
  let folder = try agent([
    "a": "\"requires\": {\"modules\": {\"b\": \(range)}}", "b": process("p"),
  ])
  let problems = catalog(folder, enabled).problems
  #expect(problems.map(\.code) == [code].compactMap(\.self))
  #expect(problems.allSatisfy { $0.path == "requires.modules.b" && $0.place != nil })
}

@Test func `a required module that isn't installed is reported`() throws {
  let folder = try agent(["a": "\"requires\": {\"modules\": {\"b\": \"*\"}}"])
  #expect(catalog(folder, ["a"]).problems.map(\.code) == ["module_not_installed"])
}
