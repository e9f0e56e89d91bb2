package import AgentJSON

/// Why the host could not do what it was asked to.
package struct HostError: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure, as the API names them.
  package enum Code: String, Sendable {
    /// There is nothing of that name.
    case notFound = "not_found"
    /// It doesn't fit the state things are in.
    case conflict
    /// Somebody else has changed it meanwhile.
    case preconditionFailed = "precondition_failed"
    /// The request itself is wrong.
    case invalid
    /// The caller isn't permitted to do it.
    case forbidden
    /// The settings are wrong; `problems` says where.
    case invalidSettings = "invalid_settings"
    /// It was tried and did not work.
    case failed
    /// It took longer than it may.
    case deadlineExceeded = "deadline_exceeded"
    /// A module that was asked for an answer failed, or gave one that can't be passed on.
    case badGateway = "bad_gateway"
    /// The host is starting; trying again soon helps.
    case notReady = "not_ready"
    /// The host is ending.
    case stopping
  }

  package let code: Code
  /// A sentence for the person who asked.
  package let message: String
  /// The problems of the settings or the request, each with its place.
  package let problems: [JSONValue]
  package var description: String { fullText }

  /// The message, with what is wrong with the settings in lines of their own.
  package var fullText: String {
    problems.compactMap { $0["text"]?.string }.reduce(message) { $0 + "\n  " + $1 }
  }

  package init(_ code: Code, _ message: String, problems: [JSONValue] = []) {
    self.code = code
    self.message = message
    self.problems = problems
  }
}
