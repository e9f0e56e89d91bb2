extension String {
  /// The text, or as much of its beginning as fits into so many bytes of UTF-8 together with `ending`,
  /// which says that it was cut. No character of Unicode is cut in two.
  package func cut(toBytes most: Int, ending: String = "…") -> String {
    guard utf8.count > most else { return self }
    var end = utf8.index(startIndex, offsetBy: Swift.max(0, most - ending.utf8.count))
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
      end = utf8.index(before: end)
    }
    return self[..<end] + ending
  }
}
