import AgentKit

/// Publishes the events of a recorded file with the pauses between them.
struct Replay: Datasource {
  static let name = "replay"

  /// How many events are published at once, at most.
  private static let batch = 500
  /// How often the position is kept, in milliseconds.
  private static let keeping: Int64 = 1000
  private static let key = "position"

  private let settings: ReplaySettings
  private let host: AgentHost

  init(settings: ReplaySettings, host: AgentHost) {
    self.settings = settings
    self.host = host
  }

  func run() async throws {
    let recording = try Recording(path: settings.file)
    let columns = try columns(of: recording)
    var position = try await position(in: recording)
    var run = Run(start: host.now - position.milliseconds, kept: host.now)
    do {
      repeat {
        let (before, isWhole) = (run.published, position.line == 0)
        recording.seek(
          to: max(position.offset, columns?.end ?? 0), after: max(position.line, columns?.line ?? 0)
        )
        try await play(recording, columns: columns?.names, position: &position, run: &run)
        guard settings.loops else { break }
        guard run.published > before || !isWhole else {
          throw ModuleError(.failed, "\(settings.file) has no events to repeat.")
        }
        position.offset = 0
        position.line = 0
        position.last = nil
        try Task.checkCancellation()
      } while true
    } catch {
      await keep(position, &run)
      throw error
    }
    await keep(position, &run)
    host.log(.notice, "\(settings.file) was replayed to its end: \(run.published) events.")
  }

  /// What belongs to this start of the process.
  private struct Run {
    /// When a replay that was never interrupted would have begun, by the host's clock.
    let start: Int64
    /// When the position was kept last.
    var kept: Int64
    var published = 0
    var hasComplained = false
  }

  private func play(
    _ recording: Recording, columns: [String]?, position: inout ReplayPosition,
    run: inout Run
  ) async throws {
    var batch: [Event] = []
    var ahead = position
    while true {
      let found: Found?
      do {
        found = try next(of: recording, columns)
      } catch {
        // The lines before the wrong one are published all the same.
        try await publish(&batch, position: &position, reached: ahead, run: &run)
        throw error
      }
      guard let found else { break }
      let time = found.time
      var next = ahead
      (next.offset, next.line) = (found.line.end, found.line.number)
      if time >= settings.from ?? .min, time < settings.until ?? .max {
        next.advance(
          to: time, speed: settings.speed.factor, longest: settings.longestGap.map { $0 * 1000 })
        let due = run.start + next.milliseconds
        if due > host.now {
          try await publish(&batch, position: &position, reached: ahead, run: &run)
          // Before a long pause, so that little is repeated after a crash in it.
          if due - host.now > Self.keeping { await keep(position, &run) }
          try await host.sleep(for: .milliseconds(due - host.now))
        }
        batch.append(stamped(found.event, time, due: due))
      }
      ahead = next
      if batch.count >= Self.batch {
        try await publish(&batch, position: &position, reached: ahead, run: &run)
      }
    }
    try await publish(&batch, position: &position, reached: ahead, run: &run)
  }

  /// Publishes what is due and remembers how far that is; waits while the host can't take more.
  private func publish(
    _ batch: inout [Event], position: inout ReplayPosition, reached: ReplayPosition,
    run: inout Run
  ) async throws {
    if !batch.isEmpty { try await host.events.publish(batch) }
    run.published += batch.count
    batch = []
    position = reached
    if host.now - run.kept >= Self.keeping { await keep(position, &run) }
  }

  // MARK: Events

  /// The names of the columns, and where the rows begin.
  private struct Heading {
    let names: [String]
    let end: Int64
    let line: Int
  }

  /// An event of the recording.
  private struct Found {
    let line: Recording.Line
    let event: Event
    /// In Unix milliseconds.
    let time: Int64
  }

  /// The first line of a file whose name ends in `.csv`.
  private func columns(of recording: Recording) throws -> Heading? {
    guard settings.file.hasSuffix(".csv") else { return nil }
    guard let line = try recording.next() else {
      throw ModuleError(.failed, "\(settings.file): the first line names the columns; it is empty.")
    }
    let row = try row(line)
    return Heading(names: row.values.map(\.text), end: line.end, line: line.number)
  }

  private func next(of recording: Recording, _ columns: [String]?) throws -> Found? {
    guard let line = try recording.next() else { return nil }
    let (event, time) = try event(line, object(line, columns))
    return Found(line: line, event: event, time: time)
  }

  private func object(_ line: Recording.Line, _ columns: [String]?) throws -> JSONObject {
    if let columns {
      do {
        return try row(line).object(columns: columns)
      } catch let error as TableRowError {
        throw wrong(line, error.message, column: error.column)
      }
    }
    do {
      guard let object = try JSONValue(parsing: line.bytes).object else {
        throw wrong(line, "an event is a JSON object.")
      }
      return object
    } catch let error as JSONParseError {
      throw wrong(line, error.message, column: error.place.column)
    }
  }

  private func row(_ line: Recording.Line) throws -> TableRow {
    do {
      return try TableRow(line.bytes)
    } catch {
      throw wrong(line, error.message, column: error.column)
    }
  }

  private func wrong(
    _ line: Recording.Line, _ message: String, column: Int? = nil
  ) -> ModuleError {
    let place = "\(settings.file):\(line.number)" + (column.map { ":\($0)" } ?? "")
    return ModuleError(.failed, "\(place): \(message)")
  }

  private func event(
    _ line: Recording.Line, _ object: JSONObject
  ) throws -> (Event, Int64) {
    var object = object
    guard let time = object[settings.timestampField]?.int else {
      throw wrong(
        line,
        "the field \"\(settings.timestampField)\" holds the time, an integer of Unix "
          + "milliseconds; found \(object[settings.timestampField]?.text() ?? "none").")
    }
    guard let type = settings.eventType ?? object["type"]?.string, !type.isEmpty else {
      throw wrong(line, "an event needs a \"type\"; or set \"event_type\".")
    }
    let source = object["source"]?.string
    for key in ["type", "timestamp", "source"] { object[key] = nil }
    return (Event(type, timestamp: nil, source: source, fields: object), Int64(time))
  }

  private func stamped(_ event: Event, _ time: Int64, due: Int64) -> Event {
    var event = event
    switch settings.timestamps {
    case .keep: event.timestamp = time
    case .shift: event.timestamp = settings.speed.factor == nil ? host.now : due
    }
    return event
  }

  // MARK: Going on

  /// Where to begin: where an earlier worker was in the same file.
  private func position(in recording: Recording) async throws -> ReplayPosition {
    let fresh = ReplayPosition(file: recording.identity)
    guard settings.resumes,
      let kept = try await host.state.get(Self.key, as: ReplayPosition.self)
    else { return fresh }
    guard kept.file == recording.identity, (0...recording.size).contains(kept.offset),
      kept.line >= 0
    else {
      host.log(
        .notice, "\(settings.file) is a different file than before. The replay starts afresh.")
      return fresh
    }
    if kept.line > 0 { host.log(.notice, "\(settings.file) continues after line \(kept.line).") }
    return kept
  }

  private func keep(_ position: ReplayPosition, _ run: inout Run) async {
    run.kept = host.now
    guard settings.resumes else { return }
    do {
      try await host.state.set(Self.key, to: position)
    } catch {
      // The replay itself goes on; after a crash more of it comes twice.
      if !run.hasComplained { host.log(.warning, "The position can't be stored: \(error)") }
      run.hasComplained = true
    }
  }
}
