import AgentJSON

extension AgentUnderTest {
  /// The module that answers well and badly, by the names of its routes.
  /// - Parameter timeout: milliseconds that a call may take.
  func addService(timeout: Int = 30_000) async throws {
    let library = try await FixtureBuilder.shared.library("service_module.c")
    try folder.link(library, as: "modules/service/libservice.so")
    var routes: JSONObject = [
      "echo": [
        "method": "POST", "path": "echo/{word}", "scope": "execute",
        "input": ["type": "object", "properties": ["n": ["type": "integer"]]],
      ],
      "page": ["path": ""],
    ]
    for name in ["cookie", "garbage", "wrong", "large", "die", "never"] {
      routes[name] = ["path": .string("bad/\(name)")]
    }
    try write(
      [
        "name": "service", "version": "1.0.0", "abi": 1, "library": "libservice.so",
        "routes": .object(routes),
      ], of: "service")
    try settings(
      modules: ["service"], processes: [:], supervision: ["invoke_timeout_ms": JSONValue(timeout)])
  }
}
