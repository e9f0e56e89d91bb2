internal import AgentJSON
internal import AgentPlot
internal import Glibc
internal import Synchronization
internal import UnixSignals

/// Draws the rows of a query. On a terminal it redraws the chart as rows arrive. Otherwise it draws
/// once, at the end.
final class PlotScreen: Sendable {
  private struct State {
    var data = PlotData()
    var isStale = false
    /// The number of lines of the chart on the terminal.
    var drawn = 0
    /// The lines below the final chart.
    var remarks: [String] = []
    /// The costs of the steps so far.
    var costs: [String] = []
  }

  /// The shortest time between two drawings.
  private static let pause = Duration.milliseconds(200)
  private static let maxRemarks = 20

  private let explains: Bool
  private let isTerminal = isatty(1) == 1
  private let state = Mutex(State())

  /// - Parameter explains: whether the costs of the query are printed at the end.
  init(explains: Bool) { self.explains = explains }

  /// Runs a query and draws it until the query ends or a signal ends the command.
  func show(_ host: HostClient, _ path: String) async throws {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await host.lines(path) { line in
          if !line.isEmpty { self.take(try JSONValue(parsing: String(line)).shown()) }
          return true
        }
      }
      group.addTask {
        for await _ in signals { return }
      }
      if isTerminal {
        group.addTask {
          while !Task.isCancelled {
            try await Task.sleep(for: Self.pause)
            self.draw()
          }
        }
      }
      defer { group.cancelAll() }
      try await group.next()
      // The connection may take long to close, so the command doesn't wait for it.
      finish()
      Terminal.leave(.success)
    }
  }

  private func take(_ message: JSONValue) {
    state.withLock { state in
      switch message["type"]?.string {
      case "start": state.data.groups = (message["group"]?.array ?? []).compactMap(\.string)
      case "event":
        for row in message["events"]?.array ?? [] {
          if let row = row.object { state.data.add(row) }
        }
        state.isStale = true
      case "warning": remark("warning: \(message["message"]?.string ?? "")", &state)
      case "statistics" where explains: state.costs = QueryVerb.costs(in: message)
      default: break
      }
    }
  }

  private func remark(_ line: String, _ state: inout State) {
    if state.remarks.count < Self.maxRemarks { state.remarks.append(line) }
  }

  /// Replaces the chart on the terminal if there are new rows.
  private func draw() {
    let text = state.withLock { state -> String in
      guard state.isStale else { return "" }
      state.isStale = false
      let lines = plot().lines(of: state.data)
      defer { state.drawn = lines.count }
      let back = state.drawn > 0 ? "\u{1B}[\(state.drawn)A\r\u{1B}[J" : ""
      return back + lines.map { $0 + "\n" }.joined()
    }
    if !text.isEmpty { Terminal.draw(text) }
  }

  private func finish() {
    draw()
    let (data, remarks) = state.withLock { ($0.data, $0.remarks + $0.costs) }
    remarks.forEach(Terminal.remark)
    if data.isEmpty { Terminal.remark(data.reasonForNothing) }
  }

  private func plot() -> Plot {
    var size = winsize()
    _ = isTerminal ? ioctl(1, UInt(TIOCGWINSZ), &size) : -1
    let columns = getenv("COLUMNS").flatMap { Int(String(cString: $0)) } ?? 80
    var now = time(nil)
    var local = tm()
    localtime_r(&now, &local)
    return Plot(
      width: size.ws_col > 0 ? Int(size.ws_col) : min(max(columns, 1), 1000),
      height: size.ws_row > 0 ? min(Int(size.ws_row) - 2, 24) : 20,
      hasColors: Terminal.hasColors, offset: Int64(local.tm_gmtoff) * 1000)
  }
}
