internal import CAgentModule

/// Takes a completion of the host without anybody waiting for it.
final class Receiver: Sendable {
  private let done: @Sendable (Result<[UInt8], ModuleError>) -> Void

  init(_ done: @escaping @Sendable (Result<[UInt8], ModuleError>) -> Void) { self.done = done }

  /// A completion that keeps this receiver alive until the host calls it, which it does exactly
  /// once; where it won't (it took nothing), call ``forget()``.
  func completion() -> agent_completion {
    agent_completion(ctx: Unmanaged.passRetained(self).toOpaque()) { ctx, status, bytes in
      guard let ctx else { return }
      let receiver = Unmanaged<Receiver>.fromOpaque(ctx).takeRetainedValue()
      receiver.done(
        status == agent_status(AGENT_OK)
          ? .success(copied(bytes))
          : .failure(ModuleError(status: status, message: copiedText(bytes))))
    }
  }

  /// Releases the completion that the host will not call.
  func forget() { Unmanaged.passUnretained(self).release() }
}
