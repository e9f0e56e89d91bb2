internal import AgentModules
package import AgentSettings
internal import AgentSystem
package import AgentWorkers
internal import Glibc

/// The facts at the start of a host: its folder, and how the earlier hosts ended.
package struct HostStart: Sendable {
  package let folder: AgentFolder
  /// The start of the host, in Unix milliseconds.
  package let at: Int64
  /// Whether the earlier host was killed, because its socket is still there. Its ports may be taken
  /// for a moment, so the listeners try again quickly.
  package let isAfterKilledHost: Bool
  /// The reason for safe mode. `nil` for a usual start.
  package let safeMode: SafeMode?
  /// The record of starts.
  package let journal: StartJournal
  private let lock: HostLock

  /// Takes the folder's lock.
  /// - Throws: `conflict` if another host runs in the folder.
  package static func lock(_ folder: AgentFolder) throws(HostError) -> HostLock {
    do {
      try folder.prepare()
      return try HostLock(path: folder.lock)
    } catch let error as Problem {
      throw HostError(.failed, error.description)
    } catch let error as HostLock.Refusal {
      throw HostError(.conflict, error.message)
    } catch {
      throw HostError(.failed, "\(error)")
    }
  }

  /// Records the start of this host, before anything that may end it.
  /// - Parameter begins: is called before that, with the journal to clear if the host is told to
  ///   stop.
  package static func begin(
    _ folder: AgentFolder, begins: (StartJournal) -> Void = { _ in }
  ) -> StartJournal {
    let journal = StartJournal(folder: folder)
    begins(journal)
    journal.begin(pid: getpid(), at: Timestamp.now())
    return journal
  }

  /// - Parameters:
  ///   - journal: with the start of this host.
  ///   - safeMode: the reason for safe mode.
  package init(
    _ folder: AgentFolder, _ lock: HostLock, journal: StartJournal, safeMode: SafeMode? = nil
  ) {
    (self.folder, self.lock) = (folder, lock)
    (self.journal, self.safeMode) = (journal, safeMode)
    at = Timestamp.now()
    // Read now, because the management server will create this file again.
    isAfterKilledHost = FileSystem.exists(folder.socket)
  }

  /// Returns the error for a request that safe mode doesn't serve.
  package func refusedInSafeMode(_ what: String) -> HostError {
    HostError(
      .notReady,
      "\(what) in safe mode. \"agent doctor\" says why it is on; \"agent restart\" leaves it.")
  }
}
