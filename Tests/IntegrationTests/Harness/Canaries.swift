import AgentJSON
import Glibc
import Testing

/// Secrets that are to be nowhere: looks for them wherever an agent leaves something.
struct Canaries {
  let secrets: [String]

  init(_ secrets: [String]) { self.secrets = secrets }

  /// Records where one of them stands in a text.
  func expect(notIn text: String, _ place: String) {
    for secret in secrets where text.contains(secret) {
      let found = text.range(of: secret).map { text[..<$0.lowerBound].suffix(200) } ?? ""
      Issue.record("\(secret) is in \(place), after: \(found)")
    }
  }

  /// Looks everywhere, ends the host, and looks at what is left.
  func check(
    _ agent: AgentUnderTest, workers: [pid_t], port: PortClient, token: String
  ) async throws {
    check(processes: workers + [agent.pid])
    for (path, text) in try await answers(agent, port: port, token: token) {
      expect(notIn: text, path)
    }
    expect(notIn: agent.said, "the host's output")
    check(filesOf: agent)
    agent.signal(SIGTERM)
    #expect(try await agent.ended() == 0)
    check(filesOf: agent)
  }

  /// What the kernel shows of these processes.
  private func check(processes: [pid_t]) {
    for pid in processes {
      for file in ["environ", "cmdline"] {
        let bytes = (try? TemporaryFolder.bytes(ofFile: "/proc/\(pid)/\(file)")) ?? []
        expect(notIn: String(decoding: bytes, as: UTF8.self), "/proc/\(pid)/\(file)")
      }
    }
  }

  /// What the agent keeps: database, logs, crash reports and the rest.
  private func check(filesOf agent: AgentUnderTest) {
    let files = files(in: "\(agent.folder.path)/.agent")
    #expect(files.contains { $0.hasSuffix("store.db") } && files.contains { $0.contains("/logs/") })
    for file in files {
      let bytes = (try? TemporaryFolder.bytes(ofFile: file)) ?? []
      expect(notIn: String(decoding: bytes, as: UTF8.self), file)
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

  /// What the API and the verbs tell afterwards.
  private func answers(
    _ agent: AgentUnderTest, port: PortClient, token: String
  ) async throws -> [(String, String)] {
    var answers: [(String, String)] = []
    for path in [
      "status", "health", "features", "modules", "processes", "diagnostics", "audit?limit=1000",
      "tokens?all=true", "users", "events?query=*&limit=1000", "settings", "settings/schema",
      "alerts",
      "deliveries", "notifiers", "state", "query?query=*&span=last%2010%20minutes&past",
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
}
