internal import AgentJSON
internal import ArgumentParser

/// The verbs for tokens.
struct TokenVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Create and revoke tokens for programs that use the API.",
    discussion: """
      These verbs work whether or not the agent runs.

      Example: agent token list
      """,
    subcommands: [TokenCreate.self, TokenList.self, TokenRevoke.self])
}

/// Creates a token.
struct TokenCreate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create a token and print it, once.",
    discussion: """
      Only the token goes to standard output. It can't be shown again: only a digest is stored. \
      Scopes: read, execute (call contributions of modules), operate (both, and start and stop), \
      administer (everything).

      Example: agent token create exporter --scope read --expires 30d
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "Purpose of the token.")
  var name: String

  @Option(help: "A scope: read, execute, operate or administer; may be repeated.")
  var scope: [String]

  @Option(help: "The token's user. A change of the user's role or password revokes it.")
  var user: String?

  @Option(help: "The token's bot.")
  var forBot: String?

  @Option(help: "Lifetime: 90m, 12h, 30d; unlimited by default.")
  var expires: String?

  func run() async throws {
    let lifetime = try expires.map { text in
      guard let span = Moment.milliseconds(text) else {
        throw Failure(
          "--expires must be a number of minutes, hours or days, such as 90m, 12h or 30d; found "
            + "\"\(text)\".", exit: .usage)
      }
      return span
    }
    let answer = try await AccessSource(common: common).createToken(
      name, scopes: scope, user: user, bot: forBot, lifetime: lifetime)
    common.show(answer) { $0["token"]?.string ?? "" }
    if !common.json {
      let id = answer["id"]?.string ?? ""
      Terminal.remark("Keep it: it isn't shown again. \"agent token revoke \(id)\" revokes it.")
    }
  }
}

/// Lists the tokens.
struct TokenList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List active tokens, and when they were last used.",
    discussion: """
      A signed-in user has a token named session.

      Example: agent token list --all
      """)

  @OptionGroup var common: CommonOptions

  @Flag(help: "Also list tokens that were revoked or have expired within 30 days.")
  var all = false

  func run() async throws {
    let answer = try await AccessSource(common: common).tokens(all: all)
    common.show(answer) { answer in
      let tokens = answer["tokens"]?.array ?? []
      if tokens.isEmpty {
        return "There is no token. Create one: agent token create NAME --scope read"
      }
      return Terminal.table(
        [["ID", "NAME", "WHOSE", "SCOPES", "STATE", "EXPIRES", "USED"]] + tokens.map(Self.row))
    }
  }

  private static func row(_ token: JSONValue) -> [String] {
    func text(_ key: String) -> String { token[key]?.string ?? "" }
    let scopes = token["scopes"]?.array?.compactMap(\.string) ?? []
    return [
      text("id"), text("name"), "\(text("kind")):\(text("subject"))",
      scopes.joined(separator: " "), text("state"), Moment.minute(token["expires"]),
      Moment.minute(token["used"]),
    ]
  }
}

/// Revokes a token.
struct TokenRevoke: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a token.",
    discussion: """
      Example: agent token revoke R7cGq2mZx4Tn
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The token's id, as the list shows it.")
  var id: String

  func run() async throws {
    let answer = try await AccessSource(common: common).revokeToken(id)
    common.show(answer) { _ in "The token \(id) is revoked." }
  }
}
