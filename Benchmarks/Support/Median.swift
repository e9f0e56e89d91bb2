extension Collection where Element: BinaryFloatingPoint {
  /// The middle value; 0 for none.
  package var median: Element {
    let sorted = self.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
