public import AgentJSON
public import AgentStore

/// Manages users through the API of a running agent, or with the database of a stopped one.
/// docs/access.md has the shapes.
extension AccessControl {
  /// Returns all users under the key `users`.
  public func users() throws(AccessError) -> JSONValue {
    ["users": .array(try registries.users.all.map(\.json))]
  }

  /// Adds a user.
  /// - Parameter hash: the output of `agent user hash`, in place of a password.
  public func addUser(
    _ name: String, role: String, password: String? = nil, hash: String? = nil
  ) async throws(AccessError) -> JSONValue {
    let role = try Role(named: role)
    let row = try await asked { registries in
      switch (password, hash) {
      case (let password?, nil):
        return try await registries.users.add(name, role: role, password: password)
      case (nil, let hash?): return try await registries.users.add(name, role: role, hash: hash)
      default:
        throw AccessError(.invalid, "A user needs a password, or the hash of one, and not both.")
      }
    }
    endSetup()
    return row.json
  }

  /// Changes a role, a password, or both. All tokens of the user end.
  public func changeUser(
    _ name: String, role: String? = nil, password: String? = nil
  ) async throws(AccessError) -> JSONValue {
    guard role != nil || password != nil else {
      throw AccessError(.invalid, "Give the role, the password, or both.")
    }
    let role = if let role { try Role(named: role) } else { nil as Role? }
    return try await asked { try await $0.users.change(name, role: role, password: password).json }
  }

  /// Removes a user. All tokens of the user end.
  public func removeUser(_ name: String) async throws(AccessError) -> JSONValue {
    try await asked { registries in
      let row = try registries.users.user(name)
      guard !given.contains(row.name.lowercased()) else {
        throw AccessError(
          .conflict,
          "\(row.name) is in access.users of the settings, and would be added again. Remove the "
            + "entry there first.")
      }
      try await registries.users.remove(row.name)
      return ["name": .string(row.name)]
    }
  }
}

/// A user that the settings declare.
public struct GivenUser: Sendable {
  let name: String
  let role: String
  let hash: String

  /// Makes a declared user.
  /// - Parameter hash: the hash of the password.
  public init(_ name: String, role: String, hash: String) {
    self.name = name
    self.role = role
    self.hash = hash
  }
}

/// What came of the users that the settings declare.
public struct GivenUsersOutcome: Sendable {
  /// A sentence for each user that can't be added.
  public fileprivate(set) var refusals: [String] = []
  /// Why the database doesn't take the others now. The caller may try again. Nil means that it has
  /// taken them.
  public fileprivate(set) var obstacle: StoreError?
}

extension AccessControl {
  /// Adds the declared users that don't exist yet, and records each in the audit log. A declared
  /// user can't be removed. The call may be repeated.
  public func takeOver(_ users: [GivenUser]) async -> GivenUsersOutcome {
    given = Set(users.map { $0.name.lowercased() })
    var outcome = GivenUsersOutcome()
    // After `open`, the caller passes them again.
    guard isOpen else { return outcome }
    for user in users {
      do {
        try await takeOver(user)
      } catch let error as StoreError {
        outcome.obstacle = error
        return outcome
      } catch {
        outcome.refusals.append("The user \(user.name) of the settings can't be added: \(error)")
      }
    }
    return outcome
  }

  private func takeOver(_ user: GivenUser) async throws {
    let users = try registries.users
    // A former attempt may have stored the user although it failed.
    try await users.settle()
    if users.contains(user.name) { return }
    _ = try await users.add(user.name, role: try Role(named: user.role), hash: user.hash)
    endSetup()
    await record(
      AuditLog.Entry(
        actor: Principal(kind: .local, name: "settings", scopes: []), address: "settings",
        action: "add_user", target: user.name, outcome: "done",
        detail: ["role": .string(user.role)]))
  }
}

extension Role {
  init(named name: String) throws(AccessError) {
    guard let role = Role(rawValue: name) else {
      let names = Role.allCases.map(\.rawValue).joined(separator: ", ")
      throw AccessError(.invalid, "There is no role \"\(name)\". The roles are \(names).")
    }
    self = role
  }
}

extension UserRow {
  var json: JSONValue {
    [
      "name": .string(name), "role": .string(role), "created": JSONValue(created),
      "updated": JSONValue(updated),
    ]
  }
}
