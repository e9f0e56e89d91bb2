internal import AgentAccess
internal import AgentJSON
internal import ArgumentParser
internal import Scaffolding

/// The verbs for users.
struct UserVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user", abstract: "Add, change and remove users.",
    discussion: """
      These verbs work whether or not the agent runs.

      Example: agent user list
      """,
    subcommands: [
      UserList.self, UserAdd.self, UserChange.self, UserRemove.self, UserHash.self,
    ])
}

/// The source of a password.
struct PasswordOption: ParsableArguments {
  @Flag(help: "Read the password from standard input instead of a prompt.")
  var passwordStdin = false

  func password(of name: String) throws -> String {
    do {
      return passwordStdin
        ? try PasswordPrompt.piped() : try PasswordPrompt.asked("Password of \(name): ")
    } catch {
      throw Failure(error.message, exit: .usage)
    }
  }
}

/// Lists the users.
struct UserList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List users and their roles.",
    discussion: """
      Example: agent user list
      """)

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let answer = try await AccessSource(common: common).users()
    common.show(answer) { answer in
      let users = answer["users"]?.array ?? []
      if users.isEmpty {
        return "There is no user yet. Create one: agent user add NAME --role administrator"
      }
      return Terminal.table(
        [["NAME", "ROLE", "SINCE"]]
          + users.map { user in
            [user["name"]?.string ?? "", user["role"]?.string ?? "", Moment.day(user["created"])]
          })
    }
  }
}

/// Adds a user.
struct UserAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a user.",
    discussion: """
      A viewer reads; an operator also calls contributions of modules, and starts and stops; an \
      administrator may do everything.

      Example: agent user add ada --role administrator --password-stdin
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var secret: PasswordOption

  @Argument(help: "The name: letters, digits, and any of . - _ @")
  var name: String

  @Option(help: "viewer, operator or administrator.")
  var role: String

  func run() async throws {
    let password = try secret.password(of: name)
    let answer = try await AccessSource(common: common).addUser(
      name, role: role, password: password)
    common.show(answer) { _ in "\(name) may sign in as \(role)." }
  }
}

/// Changes a user.
struct UserChange: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change", abstract: "Change a user's role, password or both.",
    discussion: """
      The user must sign in again, and the user's tokens are revoked.

      Example: agent user change ada --role administrator
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var secret: PasswordOption

  @Argument(help: "The user.")
  var name: String

  @Option(help: "viewer, operator or administrator.")
  var role: String?

  @Flag(help: "Change the password, with a prompt.")
  var password = false

  func validate() throws {
    if role == nil, !password, !secret.passwordStdin {
      throw ValidationError("Give --role, --password or --password-stdin.")
    }
  }

  func run() async throws {
    let new = password || secret.passwordStdin ? try secret.password(of: name) : nil
    let answer = try await AccessSource(common: common).changeUser(name, role: role, password: new)
    common.show(answer) { answer in
      "\(name) is \(answer["role"]?.string ?? ""), and must sign in again."
    }
  }
}

/// Removes a user.
struct UserRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a user; the user's tokens are revoked.",
    discussion: """
      The last administrator can't be removed.

      Example: agent user remove bob
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "The user.")
  var name: String

  func run() async throws {
    let answer = try await AccessSource(common: common).removeUser(name)
    common.show(answer) { "\($0["name"]?.string ?? name) is removed." }
  }
}

/// Hashes a password.
struct UserHash: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash", abstract: "Print the hash of a password, for access.users in settings.",
    discussion: """
      Nothing is stored.

      Example: agent user hash --password-stdin
      """)

  @OptionGroup var secret: PasswordOption

  func run() async throws {
    let password = try secret.password(of: "the user")
    do {
      Terminal.print(try PasswordHash.of(password))
    } catch {
      throw Failure(error.message, exit: .usage)
    }
  }
}
