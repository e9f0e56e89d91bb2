package import AgentHost
internal import AgentWorkers
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import ServiceLifecycle

/// The API on the agent's Unix socket, `.agent/agent.sock`.
///
/// The socket belongs to the user who runs the host (0600), and every connection's peer is checked
/// besides.
package struct ManagementServer: Service {
  private let api: API
  private let host: HostApplication
  private let path: String
  private let logger: Logger

  /// - Parameters:
  ///   - api: the routes.
  ///   - host: what they act on.
  ///   - path: where the socket is made; a socket that is left there from before is replaced.
  package init(_ api: API, host: HostApplication, path: String, logger: Logger) {
    self.api = api
    self.host = host
    self.path = path
    self.logger = logger
  }

  /// Serves until the service group ends.
  /// - Throws: `HostError` that names the socket when it can't be used.
  package func run() async throws {
    unlink(path)
    let path = path
    let application = Application(
      responder: RequestPipeline(api, host: host, door: .socket),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [PeerCheck(admits: host.processes.admits), ClientPresence()])),
      configuration: .init(
        address: .unixDomainSocket(path: path), serverName: "Bulkhead"),
      onServerRunning: { [host] _ in
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
