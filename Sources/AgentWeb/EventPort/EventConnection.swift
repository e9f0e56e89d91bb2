internal import AgentEvents
internal import AgentJSON
internal import AgentSettings
internal import NIOCore
internal import Synchronization

/// One client of the port. Its lines are stored as they arrive. A line that isn't an event gets an
/// answer. At the end the client gets the number of stored events.
final class EventConnection: Sendable {
  typealias Channel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// A client that has connected.
  struct Client: Sendable {
    let channel: Channel
    let held: EventReadAhead
  }

  /// The maximum number of refusals that are answered. Later ones are only counted. Rationale: a
  /// client that only writes never reads the answers. They would fill the connection until neither
  /// side continues.
  private static let maxAnswers = 100

  private let settings: EventPortSettings
  private let intake: EventIntake
  private let refusals = Mutex<(count: Int, first: String?)>((0, nil))

  init(settings: EventPortSettings, bus: EventBus) {
    self.settings = settings
    var options = EventIntake.Options(
      source: settings.source, type: settings.type, isPatient: true)
    // These limits are small, so that a hundred clients need no more memory than a few busy ones.
    (options.events, options.bytes) = (500, 256 << 10)
    intake = EventIntake(bus, options: options)
  }

  /// The number of durable events.
  var accepted: Int { intake.accepted }
  /// The number of refused lines.
  var refused: Int { refusals.withLock { $0.count } }
  /// The reason for the first refusal.
  var firstRefusal: String? { refusals.withLock { $0.first } }

  /// Serves a client until it closes its side or disconnects.
  func serve(_ client: Client) async {
    do {
      try await client.channel.executeThenClose { input, output in
        var lines = LineSplitter(limit: settings.maxLine)
        for try await piece in input {
          let answers = try add(lines.lines(of: Array(piece.readableBytesView)))
          client.held.took(piece.readableBytes, line: lines.held)
          if !answers.isEmpty { try await output.write(ByteBuffer(string: answers)) }
          try await intake.waitForSpace()
        }
        let answers = try lines.last().map { try add([$0]) } ?? ""
        let outcome = try await intake.finish()
        try await output.write(ByteBuffer(string: answers + summary(outcome)))
      }
    } catch {
      // The client has disconnected, or the host can't wait longer. Complete lines are stored as
      // far as the log accepts them.
      _ = try? await intake.finish()
    }
  }

  /// Answers why a client isn't served.
  static func turnAway(_ client: Client, because reason: String) async {
    let error: JSONValue = ["error": .string(reason)]
    try? await client.channel.executeThenClose { _, output in
      try await output.write(ByteBuffer(string: error.text() + "\n"))
    }
  }

  /// The client speaks HTTP.
  private struct ForeignProtocol: Error {}

  /// Queues lines as events. Returns the answers to lines that aren't events.
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
