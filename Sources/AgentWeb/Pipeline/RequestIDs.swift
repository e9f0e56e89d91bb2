internal import AgentText
internal import Synchronization

/// Makes the ids of requests: the client's own id if it is valid, otherwise the host's start and a
/// number.
struct RequestIDs: Sendable {
  private let prefix: String
  private let last = Counter()

  private final class Counter: Sendable {
    let value = Atomic<UInt64>(0)
  }

  init(startedAt: Int64, listenerKind: String) {
    prefix = String(startedAt, radix: 36) + listenerKind
  }

  func id(asked: String?) -> String {
    if let asked, (1...128).contains(asked.utf8.count), asked.utf8.allSatisfy(\.isUnreserved) {
      return asked
    }
    return prefix + String(last.value.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
  }
}
