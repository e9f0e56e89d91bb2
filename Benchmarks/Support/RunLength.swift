import Glibc

/// How much the programs measure. A short run takes about a second and shows that a program runs.
/// Its results mean nothing and are printed without targets and verdicts.
package enum RunLength {
  /// Whether the variable `BENCH_SHORT` is set.
  package static let isShort = getenv("BENCH_SHORT") != nil

  /// `full`, or `short` in a short run.
  package static func choose<Value>(full: Value, short: Value) -> Value { isShort ? short : full }

  /// How many rounds there are: one in a short run.
  package static func rounds(_ full: Int) -> Int { choose(full: full, short: 1) }

  /// The cells of a row. A short run goes without the last two: target and verdict.
  package static func cells(_ row: [String]) -> [String] {
    choose(full: row, short: Array(row.dropLast(2)))
  }
}
