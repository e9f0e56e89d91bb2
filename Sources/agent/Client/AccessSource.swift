internal import AgentAccess
internal import AgentDiagnostics
internal import AgentJSON
internal import AgentHost
internal import AgentWorkers
internal import Glibc
internal import NIOHTTP1

/// Users, tokens and the audit log, through the API of a running agent or from its database.
struct AccessSource {
  let common: CommonOptions

  // MARK: Users

  func users() async throws -> JSONValue {
    try await look("users") { try $0.users() }
  }

  func addUser(_ name: String, role: String, password: String) async throws -> JSONValue {
    let body: JSONValue = [
      "name": .string(name), "role": .string(role), "password": .string(password),
    ]
    return try await change(.POST, "users", body: body, as: "add_user", target: name) {
      try await $0.addUser(name, role: role, password: password)
    }
  }

  func changeUser(_ name: String, role: String?, password: String?) async throws -> JSONValue {
    var body = JSONObject()
    if let role { body["role"] = .string(role) }
    if let password { body["password"] = .string(password) }
    return try await change(
      .PATCH, "users/\(HostClient.escaped(name))", body: .object(body), as: "change_user",
      target: name
    ) { try await $0.changeUser(name, role: role, password: password) }
  }

  func removeUser(_ name: String) async throws -> JSONValue {
    try await change(
      .DELETE, "users/\(HostClient.escaped(name))", body: nil, as: "remove_user", target: name
    ) {
      try await $0.removeUser(name)
    }
  }

  // MARK: Tokens

  func tokens(all: Bool) async throws -> JSONValue {
    try await look(all ? "tokens?all=true" : "tokens") { try $0.tokens(all: all) }
  }

  func createToken(
    _ name: String, scopes: [String], user: String?, bot: String?, lifetime: Int64?
  ) async throws -> JSONValue {
    var body: JSONObject = [
      "name": .string(name), "scopes": .array(scopes.map { .string($0) }),
    ]
    if let user { body["user"] = .string(user) }
    if let bot { body["bot"] = .string(bot) }
    if let lifetime { body["lifetime_ms"] = JSONValue(lifetime) }
    return try await change(.POST, "tokens", body: .object(body), as: "create_token", target: name)
    {
      try await $0.createToken(name, scopes: scopes, user: user, bot: bot, lifetime: lifetime)
    }
  }

  func revokeToken(_ id: String) async throws -> JSONValue {
    try await change(
      .DELETE, "tokens/\(HostClient.escaped(id))", body: nil, as: "revoke_token", target: id
    ) {
      try await $0.revokeToken(id)
    }
  }

  // MARK: The audit log

  func audit(_ filter: AuditFilter, limit: Int) async throws -> JSONValue {
    let numbers = [("before", filter.before), ("since", filter.since), ("until", filter.until)]
    let texts = [
      ("actor", filter.actor), ("action", filter.action), ("target", filter.target),
      ("outcome", filter.outcome),
    ]
    let fields =
      numbers.map { ($0, $1.map(String.init)) } + texts.map { ($0, $1.map(HostClient.escaped)) }
    let query = fields.reduce(into: "limit=\(limit)") { query, field in
      if let value = field.1 { query += "&\(field.0)=\(value)" }
    }
    return try await look("audit?\(query)") { try await $0.audit(filter, limit: limit) }
  }

  func verifyAudit(head: String?) async throws -> JSONValue {
    let path = head.map { "audit/verify?head=\(HostClient.escaped($0))" } ?? "audit/verify"
    return try await look(path) { try await $0.verifyAudit(head: head) }
  }

  // MARK: The host, or the file

  private func look(
    _ path: String, file: (AccessControl) async throws -> JSONValue
  ) async throws -> JSONValue {
    if let host = try common.host() { return try await host.request(.GET, path) }
    return try await use(makes: false, file)
  }

  /// Sends a change to the host, or applies it to the database. The audit log records a change of
  /// the database like one through the API.
  private func change(
    _ method: HTTPMethod, _ path: String, body: JSONValue?, as action: String, target: String,
    file: (AccessControl) async throws -> JSONValue
  ) async throws -> JSONValue {
    if let host = try common.host() {
      return try await host.request(method, path, body: body)
    }
    return try await use(makes: true) { access in
      let actor = Principal(kind: .local, name: "\(getuid())", scopes: [.administer])
      var entry = AuditLog.Entry(
        actor: actor, address: "file", action: action, target: target, outcome: "done")
      do {
        let answer = try await file(access)
        await access.record(entry)
        return answer
      } catch {
        entry.outcome = "refused"
        await access.record(entry)
        throw error
      }
    }
  }

  private func use(
    makes: Bool, _ body: (AccessControl) async throws -> JSONValue
  ) async throws -> JSONValue {
    do {
      return try await StoreFile.access(of: try common.folder(), makes: makes, body)
    } catch let error as AccessError {
      throw Failure(error.message, exit: error.code == .missing ? .notFound : .failure)
    } catch let error as HostError {
      throw Failure(error.fullText, exit: error.code == .notFound ? .notFound : .failure)
    }
  }
}
