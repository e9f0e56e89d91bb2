public import AgentJSON
internal import AgentStore

/// What people do with users: through the API of an agent that runs, and with the database of one
/// that doesn't. docs/access.md has the shapes.
extension AccessDesk {
  /// All users: `users`.
  public func users() throws(AccessError) -> JSONValue {
    ["users": .array(try books.users.all.map(\.json))]
  }

  /// Adds a user.
  /// - Parameter hash: in place of a password, what agent user hash has made of it.
  public func addUser(
    _ name: String, role: String, password: String? = nil, hash: String? = nil
  ) async throws(AccessError) -> JSONValue {
    let role = try Role(named: role)
    let row = try await asked { books in
      switch (password, hash) {
      case (let password?, nil):
        return try await books.users.add(name, role: role, password: password)
      case (nil, let hash?): return try await books.users.add(name, role: role, hash: hash)
      default:
        throw AccessError(.invalid, "A user needs a password, or the hash of one, and not both.")
      }
    }
    endSetup()
    return row.json
  }

  /// Changes a role, a password, or both; all tokens of the user end.
  public func changeUser(
    _ name: String, role: String? = nil, password: String? = nil
  ) async throws(AccessError) -> JSONValue {
    guard role != nil || password != nil else {
      throw AccessError(.invalid, "Say what is to change: the role, the password, or both.")
    }
    let role = if let role { try Role(named: role) } else { nil as Role? }
    return try await asked { try await $0.users.change(name, role: role, password: password).json }
  }

  /// Removes a user; all tokens of the user end.
  public func removeUser(_ name: String) async throws(AccessError) -> JSONValue {
    try await asked { books in
      let row = try books.users.user(name)
      try await books.users.remove(row.name)
      return ["name": .string(row.name)]
    }
  }
}

extension Role {
  init(named name: String) throws(AccessError) {
    guard let role = Role(rawValue: name) else {
      let names = Role.allCases.map(\.rawValue).joined(separator: ", ")
      throw AccessError(.invalid, "There is no role \"\(name)\"; there are \(names).")
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
