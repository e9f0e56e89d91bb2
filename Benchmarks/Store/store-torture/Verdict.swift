import AgentStore

/// Whether all that was acknowledged is there, once, and the file is sound.
struct Verdict {
  let file: String
  let acks: String

  func text() async throws -> String {
    let acks = try AckFile.read(acks)
    guard Set(acks.map(\.position)).count == acks.count else {
      throw TortureError("A position was given twice.")
    }
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: file))
    let problems = try await store.integrityProblems()
    guard problems.isEmpty else { throw TortureError("The file is damaged: \(problems)") }
    let stored = try await self.stored(store)
    for ack in acks where !stored.contains(ack) {
      throw TortureError("Acknowledged and not there: \(ack)")
    }
    try await checkSums(store, stored)
    try await checkConsumers(store, acks)
    await store.close()
    return "\(acks.count) acknowledged, \(stored.count) stored"
  }

  private func stored(_ store: SQLiteStore) async throws -> Set<Ack> {
    var stored: Set<Ack> = []
    for try await page in store.pages(of: EventSelection()) {
      for event in page {
        guard let producer = Int64(event.type.dropFirst()),
          stored.insert(
            Ack(position: event.position, producer: producer, number: event.timestamp)
          ).inserted
        else { throw TortureError("An event is there twice, or isn't ours: \(event)") }
      }
    }
    return stored
  }

  private func checkSums(_ store: SQLiteStore, _ stored: Set<Ack>) async throws {
    let types = try await store.read { try $0.events.types() }
    guard types.reduce(0, { $0 + $1.count }) == stored.count else {
      throw TortureError("The types' counts don't add up to the events: \(types)")
    }
  }

  /// The consumer's position was stored with the event, so it is that of the last one.
  private func checkConsumers(_ store: SQLiteStore, _ acks: [Ack]) async throws {
    let consumers = try await store.read { try $0.consumers.consumers() }
    for consumer in consumers {
      let least = acks.filter { "c\($0.producer)" == consumer.name }.map(\.position).max() ?? 0
      guard consumer.position >= least else {
        throw TortureError("\(consumer) has acknowledged \(least).")
      }
    }
  }
}
