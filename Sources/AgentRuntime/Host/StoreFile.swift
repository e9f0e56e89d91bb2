internal import AgentModules
public import AgentSettings
internal import AgentStore

/// The database of an agent that doesn't run.
public enum StoreFile {
  /// Copies it to a file that doesn't exist yet.
  /// - Throws: `HostError` with what stands in the way, such as a host that has it open.
  public static func backup(of folder: AgentFolder, to file: String) async throws(HostError) {
    guard FileSystem.exists(folder.store) else {
      throw HostError(.notFound, "There is no \(folder.store) yet: this agent never ran.")
    }
    let store: SQLiteStore
    do {
      store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: folder.store))
    } catch {
      throw HostError(.failed, "The agent's database can't be opened. \(error)")
    }
    let outcome: HostError?
    do {
      try await backup(store, to: file)
      outcome = nil
    } catch {
      outcome = error
    }
    await store.close()
    if let outcome { throw outcome }
  }

  static func backup(_ store: SQLiteStore, to file: String) async throws(HostError) {
    do {
      try await store.backup(to: file)
    } catch let error as StoreError where error.code == .invalid {
      throw HostError(.invalid, error.description)
    } catch {
      throw HostError(.failed, "The backup failed. \(error)")
    }
  }
}
