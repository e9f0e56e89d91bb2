import AgentStore
import Glibc

/// Eight producers that write events and acknowledge them by a durable consumer of their own, in the
/// same transaction. A failed write is tried again with another number.
struct Producers {
  let file: String
  let acks: String

  func run(_ count: Int) async throws {
    let acks = try AckFile(acks)
    let store = try await SQLiteStore.open(configuration)
    let start = Int64(getpid()) << 32
    await withTaskGroup { tasks in
      for producer in 0..<8 {
        tasks.addTask {
          var number = start
          while acks.count < count {
            number += 1
            if let ack = await write(Int64(producer), number, to: store) {
              acks.add(ack)
            } else {
              acks.refuse()
              try? await Task.sleep(for: .milliseconds(20))
            }
          }
        }
      }
    }
    await store.close()
    print("\(acks.refused) refused")
  }

  private var configuration: SQLiteStoreConfiguration {
    var configuration = SQLiteStoreConfiguration(path: file)
    // Often, so that a kill or a fault meets it.
    configuration.checkpointPages = 100
    return configuration
  }

  private func write(_ producer: Int64, _ number: Int64, to store: SQLiteStore) async -> Ack? {
    let event = NewEvent(
      type: "p\(producer)", timestamp: number, source: "torture",
      body: Array("{\"producer\":\(producer),\"number\":\(number)}".utf8))
    let position = try? await store.write(number % 2 == 0 ? .single : .savepoint) { transaction in
      let position = try transaction.events.append([event]).lowerBound
      _ = try transaction.consumers.register("c\(producer)", after: 0, now: 0)
      try transaction.consumers.acknowledge("c\(producer)", through: position, now: 0)
      return position
    }
    return position.map { Ack(position: $0, producer: producer, number: number) }
  }
}
