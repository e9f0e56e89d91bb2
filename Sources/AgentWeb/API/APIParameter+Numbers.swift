internal import AgentJSON

extension APIParameter {
  /// The greatest that every JSON reader knows exactly.
  static let maxNumber = 1 << 53

  /// The number of something.
  static func number(_ name: String, _ summary: String) -> APIParameter {
    APIParameter(
      place: .path, name: name, kind: .integer(1...APIParameter.maxNumber), summary: summary)
  }
}

extension APICall {
  /// A part of the path that is a number. The request pipeline has checked it.
  func number(_ name: String) -> Int64 { Int64(path(name)) ?? 0 }
}
