import AgentJSON
import Glibc

extension AgentUnderTest {
  // MARK: Settings

  /// Writes `settings.json` for these modules and processes. Workers that crash are restarted after
  /// a very short while, so that tests needn't wait.
  func settings(
    modules: [String], processes: JSONObject, supervision: JSONObject = [:],
    others: JSONObject = [:]
  ) throws {
    var own: JSONObject = [
      "max_restarts": 3, "backoff": ["initial_ms": 5, "max_ms": 20],
    ]
    for (key, value) in supervision { own[key] = value }
    var settings: JSONObject = [
      "enabled_modules": .array(modules.map { .string($0) }), "processes": .object(processes),
      "supervision": .object(own),
    ]
    for (key, value) in others { settings[key] = value }
    try folder.write("settings.json", JSONValue.object(settings).text(pretty: true))
  }

  // MARK: Modules

  /// The well-behaved module, with an optional other build of it.
  func addTicker(_ flags: [String] = [], name: String = "ticker") async throws {
    let library = try await FixtureBuilder.shared.library("ticker_module.c", flags)
    try folder.link(library, as: "modules/\(name)/libticker.so")
    var manifest = Manifests.ticker
    manifest["name"] = .string(name)
    try write(manifest, of: name)
  }

  /// A module in C that isn't built, enabled alone, and a compiler for it.
  /// - Parameter script: the commands of the compiler.
  /// - Returns: the variables that name the compiler.
  func addSlowCompiler(_ script: String) throws -> [String: String] {
    var manifest = Manifests.ticker
    manifest["name"] = "slow"
    try write(manifest, of: "slow")
    try folder.write("modules/slow/ticker.c", "int nothing;\n")
    try folder.write("compiler", "#!/bin/sh\n" + script)
    chmod("\(folder.path)/compiler", 0o755)
    try settings(modules: ["slow"], processes: [:])
    return ["CC": "\(folder.path)/compiler"]
  }

  /// The module that does what its settings say, in a build that may be wrong from the start.
  func addMisbehaving(_ flags: [String] = [], name: String = "misbehaving") async throws {
    let library = try await FixtureBuilder.shared.library("misbehaving_module.c", flags)
    try folder.link(library, as: "modules/\(name)/libmisbehaving.so")
    var manifest = Manifests.misbehaving
    manifest["name"] = .string(name)
    try write(manifest, of: name)
  }

  /// A command that speaks the worker protocol badly.
  func addRawWorker(_ mode: String) async throws {
    let program = try await FixtureBuilder.shared.program("raw_worker.c")
    try folder.link(program, as: "modules/raw/raw_worker")
    try write(
      [
        "name": "raw", "version": "1.0.0", "command": ["./raw_worker", .string(mode)],
        "processes": ["raw": ["kind": "datasource", "settings": ["type": "object"]]],
      ], of: "raw")
  }

  /// A command that gets to work and then sends the worst that it can.
  func addWorstWorker(_ mode: String) async throws {
    let program = try await FixtureBuilder.shared.program("worst_worker.c")
    let name = "worst-\(mode)"
    try folder.link(program, as: "modules/\(name)/worst_worker")
    try write(
      [
        "name": .string(name), "version": "1.0.0", "command": ["./worst_worker", .string(mode)],
        "processes": [name: ["kind": "datasource", "settings": ["type": "object"]]],
      ], of: name)
  }

  /// A module in Python, with a copy of the SDK's package beside it.
  func addPython(_ name: String, main: String, manifest: JSONObject) throws {
    let sdk = "\(Places.repository)/SDK/python/agent_module"
    try copy(sdk, as: "modules/\(name)/agent_module")
    try folder.write("modules/\(name)/main.py", main)
    try write(manifest, of: name)
  }

  /// Copies a folder of sources, but for what Python has compiled. An empty folder would be a file.
  private func copy(_ source: String, as place: String) throws {
    for name in TemporaryFolder.names(in: source) where name != "__pycache__" {
      let file = "\(source)/\(name)"
      if TemporaryFolder.names(in: file).isEmpty {
        try folder.write("\(place)/\(name)", try TemporaryFolder.bytes(ofFile: file))
      } else {
        try copy(file, as: "\(place)/\(name)")
      }
    }
  }

  /// Changes a module's manifest.
  func change(_ module: String, _ edit: (inout JSONObject) -> Void) throws {
    let text = try folder.text("modules/\(module)/module.json")
    var manifest = try JSONValue(parsing: text).object ?? [:]
    edit(&manifest)
    try write(manifest, of: module)
  }

  func write(_ manifest: JSONObject, of name: String) throws {
    try folder.write("modules/\(name)/module.json", JSONValue.object(manifest).text(pretty: true))
  }
}

/// The manifests of the fixtures.
enum Manifests {
  static let ticker: JSONObject = [
    "name": "ticker", "version": "1.0.0", "title": "Ticker", "abi": 1, "library": "libticker.so",
    "processes": [
      "ticks": [
        "kind": "datasource", "title": "Ticks", "example": ["every_ms": 20],
        "settings": [
          "type": "object",
          "properties": [
            "every_ms": ["type": "integer", "minimum": 1, "default": 20],
            "label": ["type": "string", "default": "plain"],
          ],
        ],
      ]
    ],
    "logic_adapters": ["teller": ["title": "Tells", "example": "does it tick?"]],
    "actions": [
      "echo": [
        "title": "Echo",
        "input": [
          "type": "object", "properties": ["word": ["type": "string"]], "required": ["word"],
        ],
      ]
    ],
  ]

  static let misbehaving: JSONObject = [
    "name": "misbehaving", "version": "1.0.0", "abi": 1, "library": "libmisbehaving.so",
    "processes": [
      "misbehave": [
        "kind": "datasource",
        "settings": ["type": "object", "properties": ["mode": ["type": "string"]]],
      ],
      "watch": ["kind": "monitor", "settings": ["type": "object"]],
    ],
    "actions": ["probe": ["title": "Tries something"]],
  ]
}
