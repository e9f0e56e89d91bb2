package import AgentHost
internal import AgentProcesses
internal import AgentWorkers
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import ServiceLifecycle

/// The API on the agent's Unix socket, `.agent/agent.sock`.
///
/// The socket belongs to the host's user (0600). In addition the peer of every connection is
/// checked.
package struct ManagementServer: Service {
  private let api: API
  private let host: HostApplication
  private let path: String
  private let logger: Logger

  /// - Parameters:
  ///   - api: the routes.
  ///   - host: the host that they act on.
  ///   - path: the path of the socket. An old socket at this path is replaced.
  package init(_ api: API, host: HostApplication, path: String, logger: Logger) {
    self.api = api
    self.host = host
    self.path = path
    self.logger = logger
  }

  /// Serves until the service group ends.
  /// - Throws: `HostError` that names the socket if it can't be used.
  package func run() async throws {
    unlink(path)
    let path = path
    let application = Application(
      responder: RequestPipeline(api, host: host, listenerKind: .socket),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [PeerCheck(admits: host.processes.admits), ClientPresence()])),
      configuration: .init(
        address: .unixDomainSocket(path: path), serverName: "Bulkhead"),
      onServerRunning: { [host] _ in
        // The socket exists before its mode is set. Until then its private folder and the check of
        // peers protect it.
        chmod(path, 0o600)
        host.lifecycle.managementIsUp()
      },
      logger: logger)
    defer { unlink(path) }
    do {
      try await application.run(withGraceOf: host)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw HostError(
        .failed,
        "The management socket \(path) can't be created or served: \(error). No other file may "
          + "have that name, and its folder must be writable.")
    }
  }
}
