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
    if let asked, (1...128).contains(asked.utf8.count), asked.utf8.allSatisfy(Self.isPlain) {
      return asked
    }
    return prefix + String(last.value.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
  }

  /// Returns whether a byte is a letter, a digit or one of `-._~`.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
    default: false
    }
  }
}
