/// Why something could not be measured.
package struct BenchError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// The value, or the error that a probe returned as a negative number.
package func succeeded(_ value: Int64, _ what: String) throws(BenchError) -> Double {
  guard value >= 0 else { throw BenchError("\(what) failed with \(-value).") }
  return Double(value)
}
