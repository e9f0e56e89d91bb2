internal import AgentAccess
internal import AgentSystem
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// The end of a request's token, for a stream and for a slow request: the token is revoked or
/// expires, its person signs out, or its user or bot is removed.
///
/// A principal without a token, such as the socket's, has no such end.
final class TokenEnd: Sendable {
  private let signal = StopSignal()
  private let observation = Mutex<TokenObservation?>(nil)

  /// Observes the token of the request's principal from now on.
  func observe(_ principal: Principal, of access: AccessControl) throws(AccessError) {
    let made = try access.observeToken(of: principal) { [signal] in signal.set() }
    observation.withLock { $0 = made }
  }

  /// Calls `action` when the token ends, or at once if it has ended. The action must not block.
  /// - Returns: a number for ``forget(_:)``.
  func whenEnded(_ action: @escaping @Sendable () -> Void) -> Int { signal.whenSet(action) }

  /// Removes an action.
  func forget(_ number: Int) { signal.forget(number) }

  /// Answers a request whose token may end in the meantime. A read then gets no data. A change that
  /// is complete gets its answer nevertheless, so that the audit log shows it as done.
  func bounding(
    _ route: APIRoute, _ answer: () async throws -> Response
  ) async throws -> Response {
    let response: Response
    do {
      response = try await answer()
    } catch {
      // The work was cancelled with the token, and its error would hide the reason.
      try check()
      throw error
    }
    if route.method == .get { try check() }
    return response
  }

  /// Refuses to go on if the token has ended.
  func check() throws(APIProblem) {
    guard signal.isSet else { return }
    throw APIProblem.unauthenticated("The token of this request ended before its answer.")
  }
}
