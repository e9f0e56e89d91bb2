/// How much of the audit log is kept.
public struct AuditRetention: Sendable, Hashable {
  /// The maximum age of lines, in milliseconds.
  public var age: Int64
  /// The maximum size of all lines, in bytes.
  public var bytes: Int64

  /// Makes a rule. The defaults are a year and 256 MiB.
  public init(age: Int64 = 365 * 86_400_000, bytes: Int64 = 256 << 20) {
    (self.age, self.bytes) = (age, bytes)
  }
}
