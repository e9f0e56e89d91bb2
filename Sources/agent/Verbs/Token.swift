internal import AgentJSON
internal import ArgumentParser

/// The tokens of the agent.
struct TokenVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Make and end tokens, with which programs use the API.",
    discussion: """
      They work with the agent that runs, and with the database of one that doesn't.

      Example: agent token list
      """,
    subcommands: [TokenCreate.self, TokenList.self, TokenRevoke.self])
}

/// Makes a token.
struct TokenCreate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make a token and print it, once.",
    discussion: """
      Nothing but the token goes to standard output. It can't be had again: only a digest is kept. \
      Scopes: read (look), execute (call what modules offer), operate (both, and start and stop), \
      administer (everything).

      Example: agent token create exporter --scope read --expires 30d
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "What it is for.")
  var name: String

  @Option(help: "What it allows: read, execute, operate or administer; may be given again.")
  var scope: [String]

  @Option(help: "The user whose it is; it ends with the user's role or password.")
  var user: String?

  @Option(help: "The bot whose it is.")
  var forBot: String?

  @Option(help: "How long it lasts: 90m, 12h, 30d; for ever when it isn't given.")
  var expires: String?

  func run() async throws {
    let lifetime = try expires.map { text in
      guard let span = Moment.milliseconds(text) else {
        throw Failure(
          "--expires is a number of minutes, hours or days, such as 90m, 12h or 30d; found "
            + "\"\(text)\".", exit: .usage)
      }
      return span
    }
    let answer = try await AccessSource(common: common).createToken(
      name, scopes: scope, user: user, bot: forBot, lifetime: lifetime)
    common.show(answer) { $0["token"]?.string ?? "" }
    if !common.json {
      let id = answer["id"]?.string ?? ""
      Terminal.remark("Keep it: it isn't shown again. \"agent token revoke \(id)\" ends it.")
    }
  }
}

/// Lists the tokens.
struct TokenList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the tokens that count, and when they were used.",
    discussion: """
      Who has signed in has a token too, named session.

      Example: agent token list --all
      """)

  @OptionGroup var common: CommonOptions

  @Flag(help: "Also those that were revoked or have expired, for 30 days.")
  var all = false

  func run() async throws {
    let answer = try await AccessSource(common: common).tokens(all: all)
    common.show(answer) { answer in
      let tokens = answer["tokens"]?.array ?? []
      if tokens.isEmpty { return "There is no token: agent token create NAME --scope read" }
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

/// Ends a token.
struct TokenRevoke: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "End a token now.",
    discussion: """
      Example: agent token revoke R7cGq2mZx4Tn
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The token's id, as the list shows it.")
  var id: String

  func run() async throws {
    let answer = try await AccessSource(common: common).revokeToken(id)
    common.show(answer) { _ in "The token \(id) opens nothing any more." }
  }
}
