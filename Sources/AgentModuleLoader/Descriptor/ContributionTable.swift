import CAgentModule

/// The functions of one contribution. They are copied field by field up to the size of the module's
/// struct. Missing fields are NULL.
///
/// Rationale: function pointers and `type_ctx` are constants of the module. `@unchecked` is
/// necessary because the compiler can't know that of C pointers.
struct ContributionTable: @unchecked Sendable {
  /// The size up to `create`. A module without these fields can't be used.
  static let minimumSize = (MemoryLayout.offset(of: \agent_contribution_v1.create) ?? 0) + 8

  private let table: agent_contribution_v1
  let name: String

  init(_ pointer: UnsafeRawPointer, size: Int) {
    var table = agent_contribution_v1()
    withUnsafeMutableBytes(of: &table) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: min(size, $0.count)))
    }
    self.table = table
    name = table.name.map { String(cString: $0) } ?? ""
  }

  var kind: UInt32 { table.kind }
  var typeContext: UnsafeMutableRawPointer? { table.type_ctx }
  var create: Create? { table.create }
  var start: Start? { table.start }
  var stop: Stop? { table.stop }
  var invoke: Invoke? { table.invoke }
  var cancel: Cancel? { table.cancel }
  var callSync: CallSync? { table.call_sync }
  var destroy: Destroy? { table.destroy }

  typealias Instance = UnsafeMutableRawPointer
  typealias Create =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<agent_host_v1>?, agent_bytes, agent_completion,
      UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> agent_status
  typealias Start = @convention(c) (Instance?, agent_completion) -> agent_status
  typealias Stop = @convention(c) (Instance?, agent_completion) -> Void
  typealias Invoke =
    @convention(c) (Instance?, UInt64, agent_bytes, Int64, UnsafePointer<agent_sink_v1>?) -> Void
  typealias Cancel = @convention(c) (Instance?, UInt64) -> Void
  typealias CallSync =
    @convention(c) (Instance?, agent_bytes, UnsafeMutablePointer<UInt8>?, Int) -> Int64
  typealias Destroy = @convention(c) (Instance?) -> Void
}
