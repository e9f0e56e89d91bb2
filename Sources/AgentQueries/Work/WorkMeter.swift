/// The work of a query for one row, and for the outputs of one moment, in steps. A step is about a
/// byte that an expression reads.
///
/// Rationale: an expression of a few words can read megabytes many times. Without a limit one row
/// would hold a thread for minutes, and nothing would notice that the query was canceled.
final class WorkMeter {
  /// The number of steps between two checks for cancellation. It is about 5 ms.
  private static let chunk = 1 << 20
  /// The steps of a row that passes a pipe.
  static let stepsOfPipe = 16
  /// The steps that reading a row costs before the first pipe.
  private static let stepsOfRow = 1 << 10
  /// The steps of a value in a list or an object.
  static let stepsOfValue = 4

  private let limits: WorkLimits
  private let isCancelled: @Sendable () -> Bool
  // The checks of exclusive access would cost more than the count itself.
  @exclusivity(unchecked) private var left: Int
  @exclusivity(unchecked) private var reserve = 0
  @exclusivity(unchecked) private var granted = 0
  /// The steps since the last slice, up to the present row.
  @exclusivity(unchecked) private var slice = 0
  /// Whether the present row or moment needed more than its steps.
  @exclusivity(unchecked) private(set) var isExhausted = false

  init(
    _ limits: WorkLimits = WorkLimits(),
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) {
    self.limits = limits
    self.isCancelled = isCancelled
    left = min(Self.chunk, limits.row)
    (granted, reserve) = (left, limits.row - left)
  }

  /// Begins a row.
  func beginRow() { begin(limits.row) }

  /// Begins the outputs of a moment.
  func beginOutputs() { begin(limits.outputs) }

  private func begin(_ limit: Int) {
    slice += granted - left + Self.stepsOfRow
    isExhausted = false
    left = min(Self.chunk, limit)
    (granted, reserve) = (left, limit - left)
  }

  /// Uses steps.
  /// - Returns: false if too few were left. None are left from then on.
  @inline(__always)
  func spend(_ steps: Int) -> Bool {
    left -= steps
    return left >= 0 || refill()
  }

  private func refill() -> Bool {
    while left < 0, reserve > 0, !isExhausted, !isCancelled() {
      let more = min(max(Self.chunk, -left), reserve)
      left += more
      granted += more
      reserve -= more
    }
    guard left < 0 else { return true }
    isExhausted = true
    // The next call must fail too, however few steps it uses.
    granted -= left + 1
    left = -1
    return false
  }

  /// Returns whether the query has used a slice of time since the last call that returned true.
  func endSlice() -> Bool {
    guard slice + granted - left >= limits.slice else { return false }
    slice = left - granted
    return true
  }
}
