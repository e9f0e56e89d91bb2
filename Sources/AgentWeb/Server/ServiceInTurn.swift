package import ServiceLifecycle

/// A service that ends in its turn.
///
/// Rationale: a group ends its services one after the other. It takes the end of one before its turn
/// for a failure, cancels the others and throws. But several services end by themselves once the host
/// is told to end, for example while its database isn't open yet.
package struct ServiceInTurn: Service {
  private let service: any Service
  private let endGroup: @Sendable () -> Void

  /// - Parameter endGroup: ends the group. It is called when the service has ended, which may be the
  ///   first one.
  package init(_ service: any Service, endGroup: @escaping @Sendable () -> Void) {
    (self.service, self.endGroup) = (service, endGroup)
  }

  /// Runs the service, and then waits for the end of the group.
  package func run() async throws {
    try await service.run()
    endGroup()
    do {
      try await gracefulShutdown()
    } catch {
      // The group was cancelled, and waits for nobody's turn.
    }
  }
}
