/// The caller that wants something done with tasks, schedules or bots, and what it may have done.
///
/// The engine, the scheduler and the dispatcher take one in every method that changes
/// something, and decide by it on the definition that results: after a body was read, merged into
/// what is there, or copied from another task.
///
/// Rationale: there are many ways in (single tasks, batches, schedules, data for an execution,
/// modules), and each that reads a body for itself reads it a little differently. The host checks
/// what is stored, because that is what will be done.
public struct TaskAuthority: Sendable, Hashable {
  /// How far somebody's word goes.
  enum Reach: Sendable, Hashable {
    /// Whatever the host can do.
    case everything
    /// What settings, modules and bots declare; `person` is who signed in, if one did.
    case declared(person: String?, operates: Bool)
    /// What concerns one bot and its assignments.
    case bot(String)
    /// What is declared, and these built-in types; what it speaks for it has registered itself.
    case module(String, granted: Set<String>)
  }

  /// As whom they stand in histories, such as `person:ada`; nil for the host itself.
  public let actor: String?
  let reach: Reach

  /// Somebody who may have done whatever the host can do: the host, or who administers it.
  public static func unrestricted(as actor: String?) -> TaskAuthority {
    TaskAuthority(actor: actor, reach: .everything)
  }

  /// Somebody who may have done what the settings, modules and bots declare.
  /// - Parameters:
  ///   - person: the user who signed in; nil for a program.
  ///   - operates: whether they may act for other people.
  public static func restricted(
    as actor: String, person: String? = nil, operates: Bool
  ) -> TaskAuthority {
    TaskAuthority(actor: actor, reach: .declared(person: person, operates: operates))
  }

  /// A bot with a token of its own.
  public static func bot(_ id: String, as actor: String) -> TaskAuthority {
    TaskAuthority(actor: actor, reach: .bot(id))
  }

  /// A module's worker.
  /// - Parameters:
  ///   - granted: the types that the settings grant to the module.
  ///   - actor: as whom it registers bots.
  public static func module(
    _ name: String, granted: Set<String>, as actor: String
  ) -> TaskAuthority {
    TaskAuthority(actor: actor, reach: .module(name, granted: granted))
  }
}
