package import AgentAccess
package import AgentSettings
internal import AgentSystem

extension AccessControl {
  /// Applies the settings. The call may be repeated.
  package func adopt(_ settings: AccessSettings) async -> GivenUsersOutcome {
    sessionLifetime = Int64(clamping: settings.sessionHours * 3_600_000)
    auditRetention = AuditRetention(
      age: Int64(clamping: settings.audit.maxAgeDays * 86_400_000),
      bytes: max(1 << 20, Int64(settings.audit.maxBytes)))
    return await takeOver(settings.users.map { GivenUser($0.name, role: $0.role, hash: $0.hash) })
  }
}
