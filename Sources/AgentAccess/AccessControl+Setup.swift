public import AgentJSON

/// What lets one person make the first administrator.
struct SetupSecret: Sendable {
  let digest: [UInt8]
  /// Called once there is a user.
  let end: @Sendable () -> Void
}

/// The first start of an agent that has no user.
extension AccessControl {
  /// A secret to be told to who starts the agent.
  public static func newSetupSecret() -> String { Digest.randomText(bytes: 32) }

  /// From now on, who knows the secret may make the first administrator, unless there is a user.
  /// - Parameter end: called when there is one.
  /// - Returns: whether there is none, so that the secret counts.
  public func expectSetup(
    with secret: String, end: @escaping @Sendable () -> Void
  ) throws(AccessError) -> Bool {
    guard try books.users.isEmpty else { return false }
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

  /// There is a user.
  func endSetup() {
    let ended = setup
    setup = nil
    ended?.end()
  }
}
