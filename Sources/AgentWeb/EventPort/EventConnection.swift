internal import AgentEvents
internal import AgentJSON
internal import AgentSettings
internal import NIOCore
internal import Synchronization

/// A client of the port: its lines are stored while they come, those that are no events are
/// answered, and at the end it is told how many were stored.
final class EventConnection: Sendable {
  typealias Client = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// The maximum number of refusals that are answered. Later ones are only counted. Rationale: a
  /// client that only writes never reads the answers, which would fill the connection until neither
  /// side goes on.
  private static let maxAnswers = 100

  private let settings: EventPortSettings
  private let intake: EventIntake
  private let refusals = Mutex<(count: Int, first: String?)>((0, nil))

  init(settings: EventPortSettings, bus: EventBus) {
    self.settings = settings
    var options = EventIntake.Options(
      source: settings.source, type: settings.type, isPatient: true)
    // A hundred clients at once shall need no more memory than a few that send much.
    (options.events, options.bytes) = (500, 256 << 10)
    intake = EventIntake(bus, options: options)
  }

  /// How many events are durable.
  var accepted: Int { intake.accepted }
  /// How many lines were refused.
  var refused: Int { refusals.withLock { $0.count } }
  /// Why the first of them was.
  var firstRefusal: String? { refusals.withLock { $0.first } }

  /// Serves a client until it has said all, or has gone.
  func serve(_ client: Client) async {
    do {
      try await client.executeThenClose { input, output in
        var lines = LineSplitter(limit: settings.maxLine)
        for try await piece in input {
          let answers = try add(lines.lines(of: Array(piece.readableBytesView)))
          if !answers.isEmpty { try await output.write(ByteBuffer(string: answers)) }
          try await intake.room()
        }
        let answers = try lines.last().map { try add([$0]) } ?? ""
        let outcome = try await intake.finish()
        try await output.write(ByteBuffer(string: answers + summary(outcome)))
      }
    } catch {
      // The client has gone, or the host can't wait any longer. What has come is stored, as far as
      // the log takes it.
      _ = try? await intake.finish()
    }
  }

  /// Tells a client that there are too many.
  static func turnAway(_ client: Client, _ settings: EventPortSettings) async {
    let error: JSONValue = [
      "error": .string(
        "Too many clients are connected: at most \(settings.maxConnections), "
          + "events.tcp.max_connections.")
    ]
    try? await client.executeThenClose { _, output in
      try await output.write(ByteBuffer(string: error.text() + "\n"))
    }
  }

  /// Somebody speaks HTTP.
  private struct ForeignProtocol: Error {}

  /// Takes lines in; gives back the answers to those that are no events.
  private func add(_ lines: [LineSplitter.Line]) throws(ForeignProtocol) -> String {
    var answers = ""
    for line in lines {
      if RequestOfBrowser.hasSent(line.bytes, isFirst: line.number == 1) {
        _ = refuse(line.number, "This is an HTTP request, so the connection was closed.")
        throw ForeignProtocol()
      }
      do {
        try intake.add(line)
      } catch {
        let message = line.isTooLong ? tooLong : error.message
        if refuse(line.number, message) <= Self.maxAnswers {
          let answer: JSONValue = ["error": .string(message), "line": JSONValue(line.number)]
          answers += answer.text() + "\n"
        }
      }
    }
    return answers
  }

  private var tooLong: String {
    "The line is longer than \(settings.maxLine) bytes: events.tcp.max_line."
  }

  private func refuse(_ line: Int, _ message: String) -> Int {
    refusals.withLock { refusals in
      refusals.count += 1
      if refusals.first == nil { refusals.first = "Line \(line): \(message)" }
      return refusals.count
    }
  }

  private func summary(_ outcome: EventIntake.Outcome) -> String {
    var answer: JSONObject = [
      "accepted": JSONValue(outcome.accepted), "refused": JSONValue(refused),
    ]
    if let failure = outcome.failure { answer["error"] = .string(failure.message) }
    return JSONValue.object(answer).text() + "\n"
  }
}
