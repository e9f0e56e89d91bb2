import AgentStore
import Testing

/// The implementations of `Store`, each of which must pass every suite that takes one.
enum Implementation: String, CaseIterable, CustomTestStringConvertible {
  case sqlite

  var testDescription: String { rawValue }
}

/// A store of its own for a test.
struct StoreUnderTest {
  let folder: TemporaryFolder
  let store: any Store

  init(_ implementation: Implementation, state: StateLimits = StateLimits()) async throws {
    folder = try TemporaryFolder()
    store = try await Self.open(implementation, folder: folder, state: state)
  }

  private init(_ folder: TemporaryFolder, _ store: any Store) {
    self.folder = folder
    self.store = store
  }

  private static func open(
    _ implementation: Implementation, folder: TemporaryFolder, state: StateLimits
  ) async throws -> any Store {
    switch implementation {
    case .sqlite:
      var configuration = SQLiteStoreConfiguration(path: folder.file("store.db"))
      configuration.state = state
      return try await SQLiteStore.open(configuration)
    }
  }

  /// Closes the store and opens it anew.
  func reopened(_ implementation: Implementation) async throws -> StoreUnderTest {
    await store.close()
    return StoreUnderTest(
      folder, try await Self.open(implementation, folder: folder, state: StateLimits()))
  }
}

extension NewEvent {
  /// An event whose body says `n`.
  static func sample(
    _ type: String = "t", at timestamp: Int64 = 0, n: Int = 0, key: String? = nil
  ) -> NewEvent {
    NewEvent(
      type: type, timestamp: timestamp, source: "s", body: Array("{\"n\":\(n)}".utf8),
      overwriteKey: key)
  }
}
