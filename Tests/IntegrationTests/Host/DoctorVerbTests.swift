import AgentJSON
import Glibc
import Testing

/// `agent doctor` and `agent diagnostics` on agents that run and on agents that don't.
@Suite struct DoctorVerbTests {
  private func finding(_ name: String, in value: JSONValue) throws -> JSONValue {
    let findings = value["findings"]?.array ?? []
    let found = findings.first { $0["name"]?.string == name }
    return try #require(found, "\(findings.compactMap { $0["name"]?.string })")
  }

  @Test func `a healthy stopped agent has no problem, and each fault is reported with its remedy`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(modules: ["ticker"], processes: ["clock": ["type": "ticks"]])
      let fine = try await agent.agent("doctor")
      #expect(fine.status == 0, "\(fine.output)")
      #expect(fine.output.contains("installation: "))

      try agent.folder.write(".env", "PASS=x\n")
      chmod("\(agent.folder.path)/.env", 0o644)
      let (status, value) = try await agent.json("doctor")
      #expect(status == 1)
      #expect(value["healthy"] == false)
      let privacy = try finding("privacy", in: value)
      #expect(privacy["verdict"] == "problem")
      #expect(privacy["remedy"]?.string?.hasPrefix("chmod 600") == true)
      let text = try await agent.agent("doctor")
      #expect(text.output.contains("PROBLEM  privacy: "))
      #expect(text.output.contains("-> chmod 600"))
    }
  }

  @Test func `sources newer than the library are reported`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(modules: ["ticker"], processes: ["clock": ["type": "ticks"]])
      try agent.folder.write("modules/ticker/ticker.c", "int a;\n")
      let (status, value) = try await agent.json("doctor")
      #expect(status == 0)
      let module = try finding("module:ticker", in: value)
      #expect(module["verdict"] == "warning")
      #expect(module["remedy"]?.string?.contains("agent build ticker") == true)
    }
  }

  @Test func `a systemd unit that starts a missing program is a problem`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      #expect(try await agent.agent("service", "install").status == 0)
      #expect(try finding("service", in: try await agent.json("doctor").value)["verdict"] == "ok")
      let unit = try #require(try await agent.json("service", "status").value["unit"]?.string)
      #expect(unit.hasPrefix(agent.folder.path))
      let name = String(unit.dropFirst(agent.folder.path.count + 1))
      let program = Places.agent
      let broken = try agent.folder.text(name).replacing(program, with: "/nowhere/agent")
      try agent.folder.write(name, broken)
      let (status, value) = try await agent.json("doctor")
      #expect(status == 1)
      #expect(
        try finding("service", in: value)["sentence"]?.string?.contains("/nowhere/agent") == true)
    }
  }

  @Test func `a running agent's failed process is reported with its reason`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try await agent.addMisbehaving()
      try agent.settings(
        modules: ["ticker", "misbehaving"],
        processes: ["clock": ["type": "ticks"], "bad": ["type": "misbehave", "mode": "refuse"]])
      try await agent.run()
      try await agent.process("bad", "is FAILED") { $0.state == "FAILED" }
      let (status, value) = try await agent.json("doctor")
      #expect(status == 1)
      let bad = try finding("process:bad", in: value)
      #expect(bad["verdict"] == "problem")
      #expect(bad["sentence"]?.string?.contains("The mode must not be") == true)
      #expect(try finding("host", in: value)["sentence"]?.string?.contains("degraded") == true)
      #expect(try finding("database", in: value)["verdict"] == "ok")

      let health = try await agent.client.send("GET", "health")
      #expect(health.status == 200)
      #expect(health.body["state"] == "degraded")
      let component = health.body["components"]?.array?.first { $0["name"] == "process:bad" }
      #expect(component?["state"] == "failing")
      #expect(try await agent.client.send("GET", "health/live").body == ["status": "ok"])
      let ready = try await agent.client.send("GET", "health/ready")
      #expect(ready.status == 200 && ready.body["ready"] == true)

      #expect(try await agent.agent("process", "disable", "bad").status == 0)
      #expect(try await agent.agent("doctor").status == 0)
      #expect(try await agent.client.send("GET", "health").body["state"] == "ok")
    }
  }

  @Test(arguments: [
    ("a", "a", 1, "https://hook.example", "warning", "expires on"),
    ("a", "a", 60, "https://HOOK.example:8700/x", "ok", "is valid until"),
    ("a", "a", 60, "https://10.1.2.3", "problem", "but http.base_url names 10.1.2.3"),
    ("a", "b", 60, "https://hook.example", "problem", "doesn't match the first certificate"),
    ("a", "a", -1, "https://hook.example", "problem", "expired on"),
  ])
  func `an unusable certificate is reported before clients connect`(
    _ certificate: String, _ key: String, _ days: Int, _ baseURL: String, _ verdict: String,
    _ words: String
  ) async throws {
    try await AgentUnderTest.with { agent in
      for name in Set([certificate, key]) {
        try await makeCertificate(name, days: days, agent: agent)
      }
      try agent.settings(
        modules: [], processes: [:],
        others: [
          "http": [
            "base_url": .string(baseURL),
            "tls": ["certificate": .string("\(certificate).pem"), "key": .string("\(key).key")],
          ]
        ])
      let (_, value) = try await agent.json("doctor")
      let found = try finding("certificate", in: value)
      #expect(found["verdict"] == .string(verdict), "\(found)")
      #expect(found["sentence"]?.string?.contains(words) == true, "\(found)")
    }
  }

  private func makeCertificate(
    _ name: String, days: Int, agent: AgentUnderTest
  ) async throws {
    let script = """
      openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=agent \
        -addext subjectAltName=DNS:hook.example -keyout \(name).key -out \(name).csr
      openssl x509 -req -in \(name).csr -signkey \(name).key -copy_extensions copy \
        -days \(days) -out \(name).pem
      chmod 600 \(name).key
      """
    let made = try Child(
      ["/bin/sh", "-e", "-c", script], in: agent.folder.path,
      environment: ["PATH": "/usr/bin:/bin"], output: "\(agent.folder.path)/openssl",
      errors: "\(agent.folder.path)/openssl")
    let finished = try await made.finished()
    #expect(finished.status == 0, "\(finished.output)")
  }

  @Test func `a descriptor limit that is too low is reported`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      let folder = agent.folder.path
      let finished = try await Child(
        ["/bin/bash", "-c", "ulimit -n 100; exec \(Places.agent) doctor --json"], in: folder,
        environment: ["PATH": "/usr/bin:/bin", "HOME": folder], output: "\(folder)/doctor.json",
        errors: "\(folder)/doctor.err"
      ).finished()
      let limits = try finding("limits:descriptors", in: JSONValue(parsing: finished.output))
      #expect(limits["verdict"] == "warning")
      #expect(limits["remedy"]?.string?.contains("ulimit -n") == true)
    }
  }

  @Test func `a host that doesn't answer is a problem`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.settings(modules: [], processes: [:])
      try await agent.run()
      try agent.folder.remove(".agent/agent.sock")
      let (status, value) = try await agent.json("doctor")
      #expect(status == 1)
      let host = try finding("host", in: value)
      #expect(host["verdict"] == "problem")
      #expect(host["sentence"]?.string?.contains("\(agent.pid)") == true)
    }
  }

  @Test func `diagnostics and the bundle contain everything but secrets, running or not`()
    async throws
  {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.folder.write(".env", "PASS=canary-5501\n")
      chmod("\(agent.folder.path)/.env", 0o600)
      try agent.settings(
        modules: ["ticker"],
        processes: ["clock": ["type": "ticks", "label": "${secret:PASS}"]])
      try await agent.run()
      let shown = try await agent.agent("diagnostics")
      #expect(shown.status == 0)
      #expect(shown.output.contains("clock"))
      let (status, value) = try await agent.json("diagnostics", "--integrity")
      #expect(status == 0)
      #expect(value["running"] == true)
      #expect(value["store"]?["integrity"] == [])
      #expect(value["store"]?["writer"]?["commits"]?.int ?? 0 > 0)
      let clock = value["processes"]?.array?.first { $0["name"] == "clock" }
      #expect(clock?["uses"]?["memory_bytes"]?.int ?? 0 > 0)
      #expect(value["settings"]?["processes"]?["clock"]?["label"] == "${secret:PASS}")

      let (made, bundle) = try await agent.json("diagnostics", "bundle", "running.tar.gz")
      #expect(made == 0)
      let paths = bundle["contents"]?.array?.compactMap { $0["path"]?.string } ?? []
      #expect(paths.contains("bundle/diagnostics.json"))
      #expect(paths.contains("bundle/logs/agent.jsonl"))
      #expect(try await agent.agent("diagnostics", "bundle", "running.tar.gz").status == 1)
      agent.signal(SIGTERM)
      #expect(try await agent.ended() == 0)

      #expect(try await agent.agent("diagnostics", "bundle", "stopped.tar.gz").status == 0)
      #expect(try await agent.json("diagnostics").value["running"] == false)
      for file in ["running", "stopped"] {
        let unpacked = try await Child(
          ["/bin/tar", "-xzOf", "\(file).tar.gz"], in: agent.folder.path, environment: [:],
          output: "\(agent.folder.path)/\(file).txt", errors: "\(agent.folder.path)/\(file).err"
        ).finished()
        #expect(unpacked.status == 0, "\(unpacked.errors)")
        let text = try agent.folder.text("\(file).txt")
        #expect(text.contains("\"versions\""))
        #expect(!text.contains("canary-5501"))
      }
    }
  }
}
