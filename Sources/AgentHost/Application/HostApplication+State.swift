package import AgentJSON
package import AgentWorkers

extension HostApplication {
  /// Forgets an owner's state as if it had never kept anything, unless it has a worker, which may
  /// count on the versions that it has read.
  /// - Returns: `keys` and `bytes`, how much it was.
  package func forgetState(of owner: String) async throws(HostError) -> JSONValue {
    // By its state and not by its link: a worker that is STARTING has read versions, or is about
    // to.
    let state = await status().processes.first { $0.name == owner }?.state
    if let state, ["STARTING", "RUNNING", "STOPPING"].contains(state) {
      let remedy =
        owner.hasPrefix("module:")
        ? "Stop the agent, and try again" : "Stop it first: agent process stop \(owner)"
      throw HostError(
        .conflict, "\(owner) is \(state) and uses its state. \(remedy).")
    }
    return try await keptState().forget(owner)
  }
}
