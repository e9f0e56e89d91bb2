internal import Synchronization

/// Allows calls into the host until the instance is destroyed.
///
/// A task that the module left behind may still hold its `AgentHost` when the host struct is gone.
/// Closing waits for calls that are running; they never block, so that takes no time.
final class HostHandle: Sendable {
  private static let closed: UInt = 1 << (UInt.bitWidth - 1)
  private let inside = Atomic<UInt>(0)

  /// Runs `body` unless the host is closed.
  @inline(__always)
  func pass<R>(otherwise: R, _ body: () -> R) -> R {
    let before = inside.wrappingAdd(1, ordering: .acquiring).oldValue
    defer { inside.wrappingSubtract(1, ordering: .releasing) }
    return before & Self.closed == 0 ? body() : otherwise
  }

  /// Closes it, and returns once no call is running. Must not be called from within `body`.
  func close() {
    inside.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing)
    while inside.load(ordering: .acquiring) != Self.closed {}
  }
}
