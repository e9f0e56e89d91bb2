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

  /// Each is told apart from all others, and from what is in the files anyway.
  private let settingCanary = "canary-setting-7Qm2vX9pLw"
  private let variableCanary = "canary-variable-4Kd8sT1zRb"
  private let unusedCanary = "canary-unused-9Hg3nC6yFj"
  private let passwordCanary = "canary-password-2Wp5kM8xVt"
  private let wrongCanary = "canary-wrong-6Bz1rJ4uQe"

  @Test func `no secret is in files, answers, output, or what /proc shows`() async throws {
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
      try check(processesOf: agent, secrets)
      let answers = try await look(agent, port, token)
      for (path, text) in answers { expect(secrets, notIn: text, path) }
      expect(secrets, notIn: agent.said, "the host's output")
      check(filesOf: agent, secrets)
      agent.signal(SIGTERM)
      #expect(try await agent.ended() == 0)
      check(filesOf: agent, secrets)
    }
  }

  /// Uses the setup secret, a password and a token; gives back the first and the last.
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
    }
  }

  /// What the API and the verbs tell afterwards.
  private func look(
    _ agent: AgentUnderTest, _ port: PortClient, _ token: String
  ) async throws -> [(String, String)] {
    var answers: [(String, String)] = []
    for path in [
      "status", "health", "features", "modules", "processes", "diagnostics", "audit?limit=1000",
      "tokens?all=true", "users", "events?query=*&limit=1000",
    ] {
      let reply = try await port.send("GET", "/api/v1/\(path)", token: token)
      #expect(reply.status == 200, "\(path): \(reply.text.prefix(300))")
      answers.append((path, reply.text))
    }
    for path in ["/api/openapi.json", "/metrics"] {
      answers.append((path, try await port.send("GET", path, token: token).text))
    }
    for words in [
      ["validate"], ["status"], ["doctor"], ["diagnostics", "--json"], ["logs", "-n", "500"],
    ] {
      let finished = try await agent.agent(words)
      answers.append(("agent \(words)", finished.output + finished.errors))
    }
    #expect(try await agent.agent("diagnostics", "bundle", "bundle.tar.gz").status == 0)
    let unpack = try Child(
      ["/bin/sh", "-c", "tar xzOf bundle.tar.gz"], in: agent.folder.path,
      environment: ["PATH": "/usr/bin:/bin"], output: "\(agent.folder.path)/unpacked",
      errors: "\(agent.folder.path)/unpacked")
    let bundle = try await unpack.finished()
    #expect(bundle.status == 0 && bundle.output.count > 1000)
    answers.append(("the support bundle", bundle.output))
    return answers
  }

  private func check(filesOf agent: AgentUnderTest, _ secrets: [String]) {
    let files = files(in: "\(agent.folder.path)/.agent")
    #expect(files.contains { $0.hasSuffix("store.db") } && files.contains { $0.contains("/logs/") })
    for file in files {
      let bytes = (try? TemporaryFolder.bytes(ofFile: file)) ?? []
      expect(secrets, notIn: String(decoding: bytes, as: UTF8.self), file)
    }
  }

  private func files(in folder: String) -> [String] {
    TemporaryFolder.names(in: folder).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { return [] }
      if status.st_mode & S_IFMT == S_IFDIR { return files(in: path) }
      return status.st_mode & S_IFMT == S_IFREG ? [path] : []
    }
  }

  /// The host and all that it has started.
  private func check(processesOf agent: AgentUnderTest, _ secrets: [String]) throws {
    let workers = ProcessTable.pids(with: "AGENT_WORKER_OF=\(agent.folder.path)")
    #expect(!workers.isEmpty)
    for pid in workers + [agent.pid] {
      for file in ["environ", "cmdline"] {
        let bytes = (try? TemporaryFolder.bytes(ofFile: "/proc/\(pid)/\(file)")) ?? []
        expect(secrets, notIn: String(decoding: bytes, as: UTF8.self), "/proc/\(pid)/\(file)")
      }
    }
  }

  private func expect(_ secrets: [String], notIn text: String, _ place: String) {
    for secret in secrets where text.contains(secret) {
      let found = text.range(of: secret).map { text[..<$0.lowerBound].suffix(200) } ?? ""
      Issue.record("\(secret) is in \(place), after: \(found)")
    }
  }
}
