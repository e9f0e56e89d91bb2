internal import AgentJSON

extension APIParameter {
  /// The greatest integer that every JSON reader represents exactly.
  static let maxNumber = 1 << 53

  /// Returns a path parameter that holds a number.
  static func number(_ name: String, _ summary: String) -> APIParameter {
    APIParameter(
      place: .path, name: name, kind: .integer(1...APIParameter.maxNumber), summary: summary)
  }
}

extension APICall {
  /// Returns a part of the path as a number. The request pipeline has checked it.
  func number(_ name: String) -> Int64 { Int64(path(name)) ?? 0 }
}
