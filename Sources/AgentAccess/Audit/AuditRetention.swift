/// How much of the audit log is kept.
public struct AuditRetention: Sendable, Hashable {
  /// How long lines are kept, in milliseconds.
  public var age: Int64
  /// How many bytes all lines may have.
  public var bytes: Int64

  /// Makes one; unless it says otherwise a year, and 256 MiB.
  public init(age: Int64 = 365 * 86_400_000, bytes: Int64 = 256 << 20) {
    (self.age, self.bytes) = (age, bytes)
  }
}
