/// The caller of an operation on tasks, schedules or bots, with its rights.
///
/// Every method of the engine, the scheduler and the dispatcher that changes something takes an
/// authority. It checks the resulting definition, after a body was parsed, merged with the stored
/// one, or copied from another task.
///
/// Rationale: there are many entry points (single tasks, batches, schedules, data for an execution,
/// modules). If each checked its own body, the checks would differ. The host checks the definition
/// that is stored, because that one is executed.
public struct TaskAuthority: Sendable, Hashable {
  /// The extent of the rights.
  enum Reach: Sendable, Hashable {
    /// Everything that the host can do.
    case everything
    /// Everything that settings, modules and bots declare. `person` is the signed-in user, `nil`
    /// for a program. `operates` allows acting for other users.
    case declared(person: String?, operates: Bool)
    /// One bot and its assignments.
    case bot(String)
    /// Everything that is declared, the `granted` types, and the bots that the module registered.
    case module(String, granted: Set<String>)
  }

  /// The name in histories, such as `person:ada`. `nil` for the host.
  public let actor: String?
  let reach: Reach

  /// Creates an authority that may do everything: the host or an administrator.
  public static func unrestricted(as actor: String?) -> TaskAuthority {
    TaskAuthority(actor: actor, reach: .everything)
  }

  /// Creates an authority that may do what the settings, modules and bots declare.
  /// - Parameters:
  ///   - person: the signed-in user; `nil` for a program.
  ///   - operates: whether it may act for other users.
  public static func restricted(
    as actor: String, person: String? = nil, operates: Bool
  ) -> TaskAuthority {
    TaskAuthority(actor: actor, reach: .declared(person: person, operates: operates))
  }

  /// Creates the authority of a bot with its own token.
  public static func bot(_ id: String, as actor: String) -> TaskAuthority {
    TaskAuthority(actor: actor, reach: .bot(id))
  }

  /// Creates the authority of a module's worker.
  /// - Parameters:
  ///   - granted: the task types that the settings grant to the module.
  ///   - actor: the name in histories, and as the owner of bots.
  public static func module(
    _ name: String, granted: Set<String>, as actor: String
  ) -> TaskAuthority {
    TaskAuthority(actor: actor, reach: .module(name, granted: granted))
  }
}
