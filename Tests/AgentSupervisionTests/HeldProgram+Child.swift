import AgentSupervision
import TestSupport

extension HeldProgram {
  /// A child that executes it.
  func spec(
    _ name: String, restart: RestartPolicy = .init(),
    timeouts: ChildTimeouts = .init(ready: .seconds(200), pingInterval: nil),
    spareKey: String? = nil
  ) -> ChildSpec {
    ChildSpec(
      name: name,
      command: ChildCommand(executable: path, environment: ["PATH=/usr/bin:/bin"]),
      restart: restart, timeouts: timeouts, spareKey: spareKey)
  }
}
