import AgentJSON
import Glibc
import Testing

/// Secrets that were used are nowhere afterwards where they don't belong.
@Suite struct CanaryTests {
  /// A module that gives away what it was told, in every way that it has.
  private static let leaky = """
    import sys

    from agent_module import Datasource, Module

    module = Module("leaky", "1.0.0")


    @module.datasource("leak")
    class Leak(Datasource):
        async def run(self):
            for name in ("token", "key"):
                secret = self.settings[name]
                self.host.log(f"I log {secret}.")
                print(f"I print {secret}.", file=sys.stderr, flush=True)
            while self.settings.get("stays"):
                await self.host.sleep(1)
            raise RuntimeError("I fail with " + self.settings["token"] + self.settings["key"])


    module.run()
    """

  private static let manifest: JSONObject = {
    let secret: JSONValue = ["type": "string", "writeOnly": true]
    return [
      "name": "leaky", "version": "1.0.0", "command": ["python3", "main.py"],
      "processes": [
        "leak": [
          "kind": "datasource",
          "settings": [
            "type": "object",
            "properties": [
              "token": secret, "key": secret, "stays": ["type": "boolean"],
            ],
          ],
        ]
      ],
    ]
  }()

  /// Each differs from all others, and from what is in the files anyway.
  private let settingCanary = "canary-setting-7Qm2vX9pLw"
  private let variableCanary = "canary-variable-4Kd8sT1zRb"
  private let unusedCanary = "canary-unused-9Hg3nC6yFj"
  private let passwordCanary = "canary-password-2Wp5kM8xVt"
  private let wrongCanary = "canary-wrong-6Bz1rJ4uQe"

  @Test func `no secret appears in files, answers, output or /proc`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.addPython("leaky", main: Self.leaky, manifest: Self.manifest)
      try agent.folder.write(
        ".env", "LEAKY_TOKEN=\(variableCanary)\nUNUSED=\(unusedCanary)\n")
      chmod("\(agent.folder.path)/.env", 0o600)
      let process: JSONObject = [
        "type": "leak", "token": "${secret:LEAKY_TOKEN}", "key": .string(settingCanary),
      ]
      var staying = process
      staying["stays"] = true
      try agent.settings(
        modules: ["leaky"], processes: ["fails": .object(process), "stays": .object(staying)],
        others: ["http": ["listen": "127.0.0.1:0"], "logging": ["forward": "log"]])
      try await agent.run()
      let port = try await agent.port()
      var secrets = [
        settingCanary, variableCanary, unusedCanary, passwordCanary, wrongCanary,
      ]
      let (setup, token) = try await use(agent, port)
      secrets += [setup, String(token.split(separator: "_", maxSplits: 2).last ?? "")]
      try await fail(port, token)
      let workers = ProcessTable.pids(with: "AGENT_WORKER_OF=\(agent.folder.path)")
      #expect(!workers.isEmpty)
      try await Canaries(secrets).check(agent, workers: workers, port: port, token: token)
    }
  }

  /// Uses the setup secret, a password and a token; returns the first and the last.
  private func use(_ agent: AgentUnderTest, _ port: PortClient) async throws -> (String, String) {
    let setup = try agent.folder.text(".agent/setup-secret").filter { !$0.isWhitespace }
    #expect(setup.count > 40)
    let body: JSONValue = [
      "secret": .string(setup), "name": "ada", "password": .string(passwordCanary),
    ]
    #expect(try await port.send("POST", "/api/v1/setup", body: body.text()).status == 201)
    let credentials: JSONValue = ["user": "ada", "password": .string(passwordCanary)]
    let session = try await port.send("POST", "/api/v1/sessions", body: credentials.text())
    let first = try #require(session.body["token"]?.string, "\(session.text)")
    let order = #"{"name": "probe", "scopes": ["administer"]}"#
    let made = try await port.send("POST", "/api/v1/tokens", token: first, body: order)
    return (setup, try #require(made.body["token"]?.string, "\(made.text)"))
  }

  /// Requests that fail with secrets in them, in the right places and in wrong ones.
  private func fail(_ port: PortClient, _ token: String) async throws {
    let wrong = wrongCanary
    let requests: [(method: String, path: String, token: String?, body: String?)] = [
      ("POST", "/api/v1/sessions", nil, #"{"user": "ada", "password": "\#(wrong)"}"#),
      // A password where the name belongs.
      ("POST", "/api/v1/sessions", nil, #"{"user": "\#(wrong)", "password": "x"}"#),
      ("POST", "/api/v1/sessions", nil, #"{"user": "ada", "password": ["\#(wrong)"]}"#),
      ("POST", "/api/v1/sessions", nil, #"{"user": "ada", "password": "\#(wrong)""#),
      ("POST", "/api/v1/sessions", nil, #"{"user": {"password": "\#(wrong)"}}"#),
      ("PATCH", "/api/v1/settings", token, #"{"processes": {"a": {"key": "\#(wrong)"}}}"#),
      ("POST", "/api/v1/users", token, #"{"name": "b", "role": "\#(wrong)", "password": "1"}"#),
      ("POST", "/api/v1/setup", nil, #"{"secret": "\#(wrong)", "name": "b", "password": "x"}"#),
      ("PATCH", "/api/v1/users/ada", token, #"{"password": "ada", "passwort": "\#(wrong)"}"#),
      ("GET", "/api/v1/status", "bulkhead_AAAAAAAAAAAA_\(wrong)", nil),
      ("GET", "/api/v1/status?token=\(wrong)", nil, nil),
      ("GET", "/api/v1/status?token=\(wrong)", token, nil),
    ]
    for request in requests {
      let reply = try await port.send(
        request.method, request.path, token: request.token, body: request.body)
      #expect((400..<500).contains(reply.status), "\(request.path): \(reply.text)")
      let isName = request.body?.contains("\"user\": \"\(wrong)") == true
      let isRole = request.body?.contains("role") == true
      if !isName, !isRole { Canaries([wrong]).expect(notIn: reply.text, request.path) }
    }
  }
}
