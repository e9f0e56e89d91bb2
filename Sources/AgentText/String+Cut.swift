extension String {
  /// Returns the text, or its longest prefix that fits into `most` bytes of UTF-8 together with
  /// `ending`. `ending` shows that the text was cut. No Unicode character is split.
  package func cut(toBytes most: Int, ending: String = "…") -> String {
    guard utf8.count > most else { return self }
    var end = utf8.index(startIndex, offsetBy: Swift.max(0, most - ending.utf8.count))
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
      end = utf8.index(before: end)
    }
    return self[..<end] + ending
  }
}
