internal import AgentDiagnostics
internal import AgentJSON
internal import AgentHost
internal import AgentWorkers
internal import NIOHTTP1

/// The state of processes, through the API of a running agent or from its database.
struct StateSource {
  let common: CommonOptions

  func owners() async throws -> JSONValue {
    try await use {
      try await $0.request(.GET, "state")
    } file: { state throws(HostError) in
      try await state.owners()
    }
  }

  func list(_ owner: String, prefix: String, after: String?, limit: Int) async throws -> JSONValue {
    try await use { host in
      var path = "\(Self.path(owner))?limit=\(limit)&prefix=\(HostClient.escaped(prefix))"
      if let after { path += "&after=\(HostClient.escaped(after))" }
      return try await host.request(.GET, path)
    } file: { state throws(HostError) in
      try await state.list(owner, prefix: prefix, after: after, limit: limit)
    }
  }

  func entry(_ owner: String, _ key: String) async throws -> JSONValue {
    try await use {
      try await $0.request(.GET, Self.path(owner, key))
    } file: {
      state throws(HostError) in
      try await state.entry(owner, key)
    }
  }

  func history(_ owner: String, _ key: String) async throws -> JSONValue {
    try await use {
      try await $0.request(.GET, Self.path(owner, key) + "?history")
    } file: {
      state throws(HostError) in
      try await state.history(owner, key)
    }
  }

  /// - Parameter expected: the version that the key must have. 0 means that the key must not exist.
  func set(
    _ owner: String, _ key: String, to value: JSONValue, expected: Int?
  ) async throws -> JSONValue {
    try await use(makes: true) { host in
      try await host.request(
        .PUT, Self.path(owner, key), body: value, headers: Self.headers(expected))
    } file: { state throws(HostError) in
      try await state.set(owner, key, to: value.bytes(), expected: expected.map(Int64.init))
    }
  }

  func remove(_ owner: String, _ key: String, expected: Int?) async throws -> JSONValue {
    try await use { host in
      try await host.request(.DELETE, Self.path(owner, key), headers: Self.headers(expected))
    } file: { state throws(HostError) in
      try await state.remove(owner, key, expected: expected.map(Int64.init))
    }
  }

  func forget(_ owner: String) async throws -> JSONValue {
    try await use {
      try await $0.request(.DELETE, Self.path(owner))
    } file: { state throws(HostError) in
      try await state.forget(owner)
    }
  }

  /// Calls `take` with the lines of one owner, or of all.
  func export(_ owner: String?, _ take: @Sendable ([UInt8]) -> Void) async throws {
    try await use { host in
      let query = owner.map { "?owner=\(HostClient.escaped($0))" } ?? ""
      try await host.download("export/state\(query)", take)
    } file: { state throws(HostError) in
      let texts = try await state.export(owner)
      do {
        for try await text in texts { take(Array(text.utf8)) }
      } catch {
        throw error as? HostError ?? HostError(.failed, "\(error)")
      }
    }
  }

  func `import`(_ lines: [UInt8], replacing: Bool) async throws -> JSONValue {
    try await use(makes: true) { host in
      try await host.request(
        .POST, "import/state" + (replacing ? "?replace" : ""), lines: lines)
    } file: { state throws(HostError) in
      try await state.import(lines, replacing: replacing)
    }
  }

  private func use<Result: Sendable>(
    makes: Bool = false, host body: (HostClient) async throws -> Result,
    file: (StateAccess) async throws(HostError) -> Result
  ) async throws -> Result {
    if let host = try common.host() { return try await body(host) }
    do {
      return try await StoreFile.state(of: try common.folder(), makes: makes, file)
    } catch let error as HostError {
      throw Failure(error.fullText, exit: error.code == .notFound ? .notFound : .failure)
    }
  }

  private static func path(_ parts: String...) -> String {
    (["state"] + parts.map(HostClient.escaped)).joined(separator: "/")
  }

  private static func headers(_ expected: Int?) -> [(String, String)] {
    switch expected {
    case nil: []
    case 0?: [("if-none-match", "*")]
    case let version?: [("if-match", "\"\(version)\"")]
    }
  }
}
