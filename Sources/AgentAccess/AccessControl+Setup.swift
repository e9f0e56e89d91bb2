public import AgentJSON

/// The secret with which one person makes the first administrator.
struct SetupSecret: Sendable {
  let digest: [UInt8]
  /// Called once a user exists.
  let end: @Sendable () -> Void
}

/// The first start of an agent that has no user.
extension AccessControl {
  /// Makes a secret for the person who starts the agent.
  public static func newSetupSecret() -> String { Digest.randomText(bytes: 32) }

  /// Accepts the secret until a user exists. The person with the secret may create the first
  /// administrator.
  /// - Parameter end: called when a user exists.
  /// - Returns: whether no user exists. The secret is accepted only then.
  public func expectSetup(
    with secret: String, end: @escaping @Sendable () -> Void
  ) throws(AccessError) -> Bool {
    guard try registries.users.isEmpty else { return false }
    setup = SetupSecret(digest: Digest.of(Array(secret.utf8)), end: end)
    return true
  }

  /// Makes the first administrator.
  public func setUp(
    with secret: String, name: String, password: String
  ) async throws(AccessError) -> JSONValue {
    guard let expected = setup else {
      throw AccessError(
        .conflict, "There is a user already. Sign in, or ask an administrator for a user.")
    }
    guard Digest.areEqual(expected.digest, Digest.of(Array(secret.utf8))) else {
      throw AccessError(
        .unauthenticated,
        "The setup secret is wrong; .agent/setup-secret has it.")
    }
    let row = try await asked {
      try await $0.users.add(name, role: .administrator, password: password, isFirst: true)
    }
    endSetup()
    return row.json
  }

  /// Ends the setup, because a user exists.
  func endSetup() {
    let ended = setup
    setup = nil
    ended?.end()
  }
}
