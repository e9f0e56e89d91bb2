import AgentStore
import Glibc

/// Writes until the disk is full, looks at what the store says of it, and takes the ballast away.
struct FullDisk {
  let file: String
  let acks: String
  let ballast: String

  func run() async throws {
    let acks = try AckFile(acks)
    let store = try await SQLiteStore.open(SQLiteStoreConfiguration(path: file))
    let error = try await fill(store, acks)
    guard (error as? StoreError)?.code == .full else {
      throw TortureError("A full disk is no \(error).")
    }
    let stored = acks.count
    guard case .full = store.condition else {
      throw TortureError("The disk is full, and the store is \(store.condition).")
    }
    guard try await count(store) >= stored else {
      throw TortureError("Not all can be read while the disk is full.")
    }
    guard unlink(ballast) == 0 else { throw TortureError("There is no ballast.") }
    let deadline = StoreClock.system.now() + 20_000
    while store.condition != .ready {
      guard StoreClock.system.now() < deadline else {
        throw TortureError("There is room, and the store is \(store.condition).")
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    for number in 0..<100 { acks.add(try await write(Int64(-1 - number), store)) }
    await store.close()
  }

  /// - Returns: why no more was stored.
  private func fill(_ store: SQLiteStore, _ acks: AckFile) async throws -> any Error {
    for number in 0..<1_000_000 {
      do { acks.add(try await write(Int64(number), store)) } catch { return error }
    }
    throw TortureError("The disk isn't small enough.")
  }

  private func write(_ number: Int64, _ store: SQLiteStore) async throws -> Ack {
    let event = NewEvent(
      type: "p9", timestamp: number, source: "torture", body: [UInt8](repeating: 32, count: 2000))
    let position = try await store.write(.single) {
      try $0.events.append([event]).lowerBound
    }
    return Ack(position: position, producer: 9, number: number)
  }

  private func count(_ store: SQLiteStore) async throws -> Int {
    var count = 0
    for try await page in store.pages(of: EventSelection()) { count += page.count }
    return count
  }
}
