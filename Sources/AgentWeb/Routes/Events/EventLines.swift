internal import AgentEvents
internal import AgentJSON
internal import AgentHost
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import ServiceLifecycle

/// Publishes events that arrive as lines of JSON. The number of lines is unlimited, because they
/// are read only as fast as they are stored.
struct EventLines {
  let host: HostApplication

  /// Stores the lines of a request and answers with the number of events.
  ///
  /// The first line that isn't an event ends the work. The lines before it are stored, and the
  /// answer has their number.
  ///
  /// - Parameter share: counts what is held of an unfinished line.
  func store(_ request: Request, share: BodyBudget.Share?) async throws -> Response {
    let intake = EventIntake(host.events, options: EventIntake.Options(source: "api"))
    var lines = LineSplitter()
    var refusal: Refusal?
    do {
      for try await piece in request.body.cancelOnGracefulShutdown() {
        try add(lines.lines(of: Array(piece.readableBytesView)), to: intake)
        try await share?.keep(lines.held)
        try await intake.waitForSpace()
      }
      if Task.isShuttingDownGracefully {
        refusal = Refusal(
          code: .stopping, message: "The host is stopping and reads no further lines.")
      } else if let last = lines.last() {
        try add([last], to: intake)
      }
    } catch let wrong as Refusal {
      refusal = wrong
    } catch is EventError {
      // The outcome holds this error.
    }
    let outcome = try await intake.finish()
    if let failure = outcome.failure {
      refusal = Refusal(code: .notReady, message: failure.message)
    }
    guard let refusal else {
      return Response(["accepted": JSONValue(outcome.accepted)], status: .created)
    }
    throw refusal.problem(accepted: outcome.accepted)
  }

  private func add(
    _ lines: [LineSplitter.Line], to intake: EventIntake
  ) throws(Refusal) {
    for line in lines {
      do {
        try intake.add(line)
      } catch {
        throw Refusal(
          code: .invalid, message: "Line \(line.number): \(error.message)", line: line.number)
      }
    }
  }
}

/// Why not all lines of a request were stored.
private struct Refusal: Error {
  let code: HostError.Code
  let message: String
  var line: Int?

  func problem(accepted: Int) -> APIProblem {
    let before =
      switch accepted {
      case 0: "Nothing was stored."
      case 1: "The event before it was stored."
      default: "The \(accepted) events before it were stored."
      }
    var problem = APIProblem(HostError(code, "\(message) \(before)"))
    if let line { problem.extra["line"] = JSONValue(line) }
    problem.extra["accepted"] = JSONValue(accepted)
    return problem
  }
}
