import AgentJSON
import AgentModules
import JSONSchema
import TestSupport
import Testing

private let trades = """
  {
    "$schema": "../../.agent/module.schema.json",
    "name": "trades", "version": "0.1.0", "title": "Currency trades",
    "abi": 1, "library": "libtrades.so",
    "requires": { "modules": { "smalltalk": ">=0.1" }, "packages": ["libcurl4"], "host": ">=0.1" },
    "permissions": { "network": ["wss://ws.kraken.com"], "read": ["/etc/hosts"] },
    "processes": {
      "krakenfx": { "kind": "datasource", "title": "Kraken" },
      "trade_frequency": {
        "kind": "monitor",
        "settings": { "properties": { "window": { "type": "integer" }, "output": { "$ref": "agent:output" } } }
      }
    },
    "logic_adapters": { "trades_counter": { "example": "count the trades" } },
    "actions": { "export_trades": { "input": {}, "output": {} } },
    "functions": {
      "pow": {
        "library": "libm.so.6", "returns": "double",
        "parameters": [{ "name": "x", "type": "double" }, { "name": "n", "type": "int32" }]
      }
    }
  }
  """

/// Reads a manifest in a folder called `trades`, its library beside it.
private func read(_ text: String, library: String? = "libtrades.so") throws -> (
  Manifest?, [Problem]
) {
  let folder = try TestFolder()
  try folder.write("module.json", text)
  if let library { try folder.write(library, "") }
  return Manifest.read(directory: folder.path, named: "modules/trades")
}

@Test func `a manifest is read completely`() throws {
  let (manifest, problems) = try read(trades)
  let trades = try #require(manifest)
  #expect(problems.isEmpty)
  #expect(trades.name == "trades" && trades.title == "Currency trades")
  #expect(trades.version == SemanticVersion(major: 0, minor: 1, patch: 0))
  #expect(trades.entry == .library("libtrades.so"))
  #expect(trades.requires.packages == ["libcurl4"])
  #expect(trades.requires.modules["smalltalk"]?.description == ">=0.1")
  #expect(trades.permissions.network == .origins(["wss://ws.kraken.com"]))
  #expect(trades.permissions.read == ["/etc/hosts"] && trades.permissions.run.isEmpty)
  #expect(
    trades.contributions.map(\.name)
      == ["krakenfx", "trade_frequency", "trades_counter", "export_trades"])
  #expect(trades.offers.map(\.kind).last == .action)
}

@Test func `a declared function is an action whose input is its parameters`() throws {
  let manifest = try #require(try read(trades).0)
  let pow = try #require(manifest.offer("pow", among: [.action]))
  #expect(
    pow.input == [
      "type": "object", "required": ["x", "n"], "additionalProperties": false,
      "properties": [
        "x": ["type": "number"],
        "n": ["type": "integer", "minimum": -2_147_483_648, "maximum": 2_147_483_647],
      ],
    ])
  #expect(manifest.functions.first?.symbol == "pow")
}

@Test func `settings are closed to unknown keys at every depth`() throws {
  let (manifest, _) = try read(trades)
  let monitor = try #require(manifest?.offer("trade_frequency", among: [.monitor]))
  let settings = JSONDocument(["windw": 1, "output": ["autor": "x"]])
  let failures = monitor.settingsSchema.validate(settings.root)
  #expect(failures.map(\.key) == ["windw", "autor"])
  #expect(failures.map(\.suggestion).allSatisfy { $0 != nil })
}

private func minimal(_ members: String) -> String {
  "{\"name\": \"trades\", \"version\": \"1.0.0\",\n" + members + "}"
}

@Test(arguments: [
  ("\"library\": \"libtrades.so\"", "missing_key", "1:1: missing key \"abi\""),
  (
    "\"library\": \"libtrades.so\", \"abi\": 3", "abi_mismatch",
    "2:35: abi: The module speaks ABI 3; this host speaks 1. Recompile it"
  ),
  (
    "\"library\": \"../x.so\", \"abi\": 1", "path_outside_module",
    "2:12: library: \"../x.so\" leads"
  ),
  (
    "\"library\": \"l.so\", \"abi\": 1, \"command\": [\"x\"]", "two_entries",
    "2:41: command: a module has a \"library\" or a \"command\""
  ),
  ("\"title\": \"x\"", "entry_missing", "1:1: missing key \"library\""),
  (
    "\"command\": [\"x\"], \"requires\": {\"host\": \">=9\"}", "host_version",
    "2:40: requires.host: The module needs a host of version >=9; this one is 0.1.0."
  ),
  (
    "\"command\": [\"x\"], \"requires\": {\"modules\": {\"b\": \"new\"}}", "invalid_version_range",
    "2:49: requires.modules.b: expected a version range"
  ),
  (
    "\"command\": [\"x\"], \"permissions\": {\"network\": [\"example.org/x\"]}", "invalid_origin",
    "2:47: permissions.network[0]: expected an origin"
  ),
  (
    "\"command\": [\"x\"], \"permissions\": {\"read\": [\"/a\", \"b\"]}", "invalid_permission",
    "2:50: permissions.read[1]: \"b\" isn't absolute. Begin it with a /."
  ),
  (
    "\"command\": [\"x\"], \"permissions\": {\"write\": [\"/\\u0000var\"]}", "invalid_permission",
    "2:45: permissions.write[0]: \"/\\u0000var\" holds the character U+0000"
  ),
  (
    "\"command\": [\"x\"], \"permissions\": {\"write\": [\"/a\"], \"run\": [\"/a/b\"]}",
    "invalid_permission",
    "2:60: permissions.run[0]: \"/a/b\" lies in \"/a\", which the module may write."
  ),
  (
    "\"command\": [\"x\\u0000\"]", "hidden_character",
    "2:13: command[0]: the text holds the character U+0000"
  ),
  (
    "\"command\": [\"x\"], \"title\": \"a\\u202Eb\"", "hidden_character",
    "2:28: title: the text holds the character U+202E"
  ),
  (
    "\"command\": [\"x\"], \"procesess\": {}", "unknown_key",
    "2:19: unknown key \"procesess\". Did you mean \"processes\"?"
  ),
  (
    """
    "command": ["x"], "processes": {"p": {"kind": "monitor", "settings": {"properties": {"limits": {}}}}}
    """, "reserved_key",
    "2:96: processes.p.settings.properties.limits: \"limits\" belongs to the host"
  ),
  (
    """
    "command": ["x"], "processes": {"p": {"kind": "monitor", "settings": {"minimum": "1"}}}
    """, "invalid_schema", "2:82: processes.p.settings.minimum: this isn't a valid JSON Schema"
  ),
  (
    """
    "command": ["x"], "processes": {"p": {"kind": "monitor", "settings": {"type": "array"}}}
    """, "settings_not_object", "2:79: processes.p.settings.type: settings are always an object"
  ),
  (
    """
    "functions": {"f": {"library": "a.so", "returns": "void",
    "parameters": [{"name": "n", "type": "int32"}, {"name": "b", "type": "bytes_out", "size": "m"}]}}
    """, "unknown_parameter",
    "3:91: functions.f.parameters[1].size: no parameter is called \"m\"."
  ),
  (
    """
    "functions": {"f": {"library": "/tmp/a.so", "returns": "int32", "ownership": "free"}}
    """, "ownership_without_string", "2:78: functions.f.ownership: only a returned string"
  ),
])
func `a mistake in a manifest is reported with its place`(
  members: String, code: String, line: String
) throws {
  let (manifest, problems) = try read(minimal(members))
  #expect(manifest == nil)
  let problem = try #require(problems.first { $0.code == code }, "\(problems)")
  #expect(problem.description.hasPrefix("modules/trades/module.json:" + line), "\(problem)")
}

@Test func `every problem is found in one run`() throws {
  let (_, problems) = try read(
    minimal(
      """
      "library": 5, "version": "x", "requires": {"host": "?"}, "extra": 1,
      "actions": {"a": {"settings": {"type": "objekt"}}}
      """
    ).replacing("\"version\": \"1.0.0\",\n", with: "\n"))
  #expect(
    Set(problems.map(\.code)).isSuperset(of: ["wrong_type", "invalid_version", "unknown_key"]))
  #expect(problems.map(\.code).contains("invalid_version_range"))
  #expect(problems.map(\.code).contains("invalid_schema"))
}

@Test func `a library that isn't built yet is a warning with the build command`() throws {
  let text = minimal("\"library\": \"libtrades.so\", \"abi\": 1")
  let (manifest, problems) = try read(text, library: nil)
  #expect(manifest != nil)
  #expect(problems.map(\.severity) == [.warning])
  #expect(problems.first?.suggestion == "agent build trades")
}

@Test func `an example that violates its own schema is a warning`() throws {
  let (manifest, problems) = try read(
    minimal(
      """
      "command": ["x"], "processes": {"p": {"kind": "monitor", "example": {"type": "p", "n": "1"},
      "settings": {"properties": {"n": {"type": "integer"}}}}}
      """))
  #expect(manifest != nil)
  #expect(problems.map(\.code) == ["example_invalid"])
  #expect(problems.first?.path == "processes.p.example.n")
}

@Test func `malformed JSON is named with line and column`() throws {
  let (_, problems) = try read("{\n  \"name\": \"x\",\n}")
  #expect(problems.first?.description.hasPrefix("modules/trades/module.json:2:") == true)
  #expect(problems.first?.code == "trailing_comma")
}

@Test func `a manifest's JSON form has all fields`() throws {
  let problem = Problem(
    "unknown_key", file: "module.json", place: JSONPlace(offset: 9, line: 2, column: 3),
    path: "a.b", message: "m", expected: "e", found: "f", suggestion: "s")
  #expect(
    problem.json == [
      "severity": "error", "code": "unknown_key", "file": "module.json", "line": 2, "column": 3,
      "path": "a.b", "message": "m", "expected": "e", "found": "f", "suggestion": "s",
    ])
}
