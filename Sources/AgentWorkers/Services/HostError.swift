package import AgentJSON

/// The error of an operation that the host couldn't do.
package struct HostError: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure, as the API names them.
  package enum Code: String, Sendable {
    /// Nothing has that name.
    case notFound = "not_found"
    /// The request doesn't fit the current state.
    case conflict
    /// Another client has made a change in the meantime.
    case preconditionFailed = "precondition_failed"
    /// The request itself is wrong.
    case invalid
    /// The caller has no permission for the request.
    case forbidden
    /// The settings are wrong. `problems` has each error with its place.
    case invalidSettings = "invalid_settings"
    /// The host has tried the operation, and the operation has failed.
    case failed
    /// The operation has exceeded its time limit.
    case deadlineExceeded = "deadline_exceeded"
    /// A module that the host has called failed, or its answer can't be passed on.
    case badGateway = "bad_gateway"
    /// The host is starting, or it lacks something for a moment. The same request can soon succeed.
    case notReady = "not_ready"
    /// The host is ending.
    case stopping
  }

  package let code: Code
  /// A sentence for the person who has made the request.
  package let message: String
  /// The problems of the settings or the request, each with its place.
  package let problems: [JSONValue]
  package var description: String { fullText }

  /// The message, then the problems, each on a line of its own.
  package var fullText: String {
    problems.compactMap { $0["text"]?.string }.reduce(message) { $0 + "\n  " + $1 }
  }

  package init(_ code: Code, _ message: String, problems: [JSONValue] = []) {
    self.code = code
    self.message = message
    self.problems = problems
  }
}
