import BenchSupport
import DequeModule
import Synchronization

/// The least that handing on can be: each event appended to queues behind a lock, and taken again.
struct QueueProbe {
  private final class Item: Sendable {
    let time: Int64
    init(_ time: Int64) { self.time = time }
  }

  private final class Queue: Sendable {
    let items = Mutex<Deque<Item>>([])
  }

  private let queues: [Queue]
  private let items = (0..<1_000).map { Item(Int64($0)) }

  init(queues: Int) { self.queues = (0..<queues).map { _ in Queue() } }

  /// Nanoseconds a delivery.
  func run(deliveries: Int, size: Int) throws(BenchError) -> Double {
    let rounds = deliveries / queues.count / items.count
    var sum: Int64 = 0
    let time = BenchClock.process.time {
      for _ in 0..<rounds {
        for start in stride(from: 0, to: items.count, by: size) {
          hand(items[start..<min(start + size, items.count)], &sum)
        }
      }
    }
    let each = Int64(items.count * (items.count - 1) / 2)
    guard sum == Int64(rounds * queues.count) * each else { throw BenchError("The sum is \(sum).") }
    return time / Double(deliveries)
  }

  private func hand(_ batch: ArraySlice<Item>, _ sum: inout Int64) {
    for queue in queues {
      queue.items.withLock { items in
        for item in batch { items.append(item) }
      }
    }
    for queue in queues {
      let taken = queue.items.withLock { items in
        defer { items.removeAll(keepingCapacity: true) }
        return Array(items)
      }
      for item in taken { sum += item.time }
    }
  }
}
