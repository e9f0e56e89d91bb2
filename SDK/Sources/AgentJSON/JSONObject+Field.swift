extension JSONObject {
  /// A member by its name, or by a path with dots into nested objects (`cpu.load`). A member whose
  /// own name contains the dots takes precedence.
  public func field(_ path: String) -> JSONValue? {
    if let value = self[path] { return value }
    guard path.utf8.contains(UInt8(ascii: ".")) else { return nil }
    var value = JSONValue.object(self)
    for key in path.split(separator: ".", omittingEmptySubsequences: false) {
      guard let next = value.object?[String(key)] else { return nil }
      value = next
    }
    return value
  }
}
