internal import AgentModules
package import AgentSettings
internal import AgentSystem
package import AgentWorkers

/// What is known of a host from its first moment: its folder, and how the hosts before it ended.
package struct HostStart: Sendable {
  package let folder: AgentFolder
  /// When the host was started, in Unix milliseconds.
  package let at: Int64
  /// Whether the former host was killed, since it has left its socket. Its ports may be taken for a
  /// moment, so the listeners try again quickly.
  package let isAfterKilledHost: Bool
  /// Why the host runs in safe mode; nil when it runs as usual.
  package let safeMode: SafeMode?
  /// The record of starts.
  package let journal: StartJournal
  private let lock: HostLock

  /// Takes the folder's lock.
  /// - Throws: `conflict` when another host runs the folder.
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

  /// - Parameters:
  ///   - isSafe: whether safe mode was asked for.
  ///   - safeModeAfter: the number of failed starts before safe mode.
  package init(_ folder: AgentFolder, _ lock: HostLock, isSafe: Bool, safeModeAfter: Int) {
    (self.folder, self.lock) = (folder, lock)
    at = Timestamp.now()
    // Read now: the management server will make this file anew.
    isAfterKilledHost = FileSystem.exists(folder.socket)
    // Read before `run` begins its own entry, since safe mode is decided by the starts before
    // this one.
    journal = StartJournal(folder: folder)
    safeMode = isSafe ? .asked : SafeMode(journal.record, after: safeModeAfter)
  }

  /// The error for a request that safe mode leaves out.
  package func refusedInSafeMode(_ what: String) -> HostError {
    HostError(
      .notReady,
      "\(what) in safe mode. \"agent doctor\" says why it is on; \"agent restart\" leaves it.")
  }
}
