internal import AgentAccess
internal import AgentJSON
internal import ArgumentParser
internal import Scaffolding

/// The users of the agent.
struct UserVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user", abstract: "Add people who sign in, change and remove them.",
    discussion: """
      They work with the agent that runs, and with the database of one that doesn't.

      Example: agent user list
      """,
    subcommands: [
      UserList.self, UserAdd.self, UserChange.self, UserRemove.self, UserHash.self,
    ])
}

/// Where a password comes from.
struct PasswordOption: ParsableArguments {
  @Flag(help: "The password is piped in; else it is asked for, and not shown.")
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
    commandName: "list", abstract: "List the users and their roles.",
    discussion: """
      Example: agent user list
      """)

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let answer = try await AccessSource(common: common).users()
    common.show(answer) { answer in
      let users = answer["users"]?.array ?? []
      if users.isEmpty { return "There is no user yet: agent user add NAME --role administrator" }
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
      A viewer looks; an operator also calls what modules offer, and starts and stops; an \
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
      Whoever is signed in with this name must sign in again, and the user's tokens end.

      Example: agent user change ada --role administrator
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var secret: PasswordOption

  @Argument(help: "The user.")
  var name: String

  @Option(help: "viewer, operator or administrator.")
  var role: String?

  @Flag(help: "Change the password: it is asked for.")
  var password = false

  func validate() throws {
    if role == nil, !password, !secret.passwordStdin {
      throw ValidationError("Say what is to change: --role, --password or --password-stdin.")
    }
  }

  func run() async throws {
    let new = password || secret.passwordStdin ? try secret.password(of: name) : nil
    let answer = try await AccessSource(common: common).changeUser(name, role: role, password: new)
    common.show(answer) { answer in
      "\(name) is \(answer["role"]?.string ?? ""), and signs in anew."
    }
  }
}

/// Removes a user.
struct UserRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a user; the user's tokens end.",
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
      Nothing is kept.

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
