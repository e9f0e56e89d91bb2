package import AgentStore
internal import AgentSystem

/// How much space the database has left before its limit, and what events give up for it.
///
/// Rationale: events are the one noun that is meant to be thrown away, and any number of types may
/// be within their own limits and fill the file together. Tasks, alerts and the audit log would
/// then find no space, so the oldest events of the largest types go first.
package struct StorageBudget: Sendable, Equatable {
  /// Above this percentage of the limit events are removed.
  static let high: Int64 = 90
  /// They are removed down to this percentage, so that the next round doesn't begin at once.
  static let low: Int64 = 85
  /// Above this percentage health says that space is short.
  static let alarming: Int64 = 95

  /// The most bytes that the file takes.
  let limit: Int64
  /// Bytes in use: gaps within the file can be used again.
  let used: Int64

  init(limit: Int64, used: Int64) {
    (self.limit, self.used) = (limit, used)
  }

  package init(limit: Int64, _ file: StoreFileStatistics) {
    let pages = max(0, file.pages &- file.freePages)
    // The numbers come from a file that may be damaged: an overflow counts as full.
    let (bytes, overflow) = pages.multipliedReportingOverflow(by: file.pageBytes)
    self.init(limit: limit, used: overflow ? .max : bytes)
  }

  /// The bytes to give up; 0 while there is space.
  package var excess: Int64 {
    used > percent(Self.high) ? used.subtracting(percent(Self.low)) : 0
  }

  package var isAlarming: Bool { used > percent(Self.alarming) }

  /// For people.
  package var text: String { "\(used >> 20) MB of \(limit >> 20) MB" }

  private func percent(_ percent: Int64) -> Int64 { (limit / 100).multiplied(percent) }

  /// The size down to which the largest are cut, so that all of them together give up the excess:
  /// small ones keep what they have.
  /// - Parameter sizes: bytes of JSON of each type. A file needs more than that for them, so it
  ///   shrinks by more.
  /// - Returns: nil while nothing is to be given up.
  package func cap(of sizes: [Int64]) -> Int64? {
    guard excess > 0 else { return nil }
    let total = sizes.reduce(Int64(0)) { $0.adding(max(0, $1)) }
    return FairCap.of(sizes, total: total.subtracting(excess)) ?? 0
  }
}
