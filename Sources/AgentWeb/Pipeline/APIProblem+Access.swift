internal import AgentAccess
internal import HTTPTypes

extension APIProblem {
  static func forbidden(_ principal: Principal, needs scope: Scope) -> APIProblem {
    APIProblem(
      .forbidden, code: "forbidden",
      message: "\(principal.label) may not do this. It needs the scope \"\(scope.rawValue)\".")
  }

  /// Returns the refusal of a bot's own token outside of the bot's assignments.
  static func forBotsOnly(_ principal: Principal) -> APIProblem {
    APIProblem(
      .forbidden, code: "forbidden",
      message: "This token belongs to \(principal.name). It is valid for its own assignments only.")
  }
}

extension Principal {
  /// The name of the principal's bucket. All sessions of a person share one. Programs and bots are
  /// counted by token, because two tokens may have the same name.
  var bucket: String { kind == .person ? label : key }
}

extension HTTPField.Name {
  static let requestID = HTTPField.Name("X-Request-ID") ?? .server
  static let retryAfter = HTTPField.Name("Retry-After") ?? .server
  static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .server
}
