/// A sliding window over the rows of a query, for one `for try await` loop; see
/// ``Events/windows(_:over:span:)``.
///
/// The host computes no faster than the loop takes elements.
public struct SlidingWindows: AsyncSequence, Sendable {
  /// An update of the window.
  public enum Element: Sendable, Hashable {
    /// A row was added; the value is the window with it.
    case moved(SlidingWindow)
    /// A row was not added, with the reason.
    case skipped(SlidingWindow.Outcome)
    /// These mnemonics have had no value for as long as the window's patience.
    case missing([String])
    /// These were missing and have a value again.
    case returned([String])
  }

  let services: any HostServices
  let rows: QueryRows
  let window: SlidingWindow

  /// Begins the loop, and with it the query.
  public func makeAsyncIterator() -> AsyncIterator {
    var window = window
    // Silence counts from now on: a series that never sends anything is missing as well.
    _ = window.changes(at: services.now())
    return AsyncIterator(
      feed: Feed(rows: rows, services: services, patience: window.patience), services: services,
      window: window)
  }

  /// Takes updates.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let feed: Feed
    let services: any HostServices
    var window: SlidingWindow
    var waiting: [Element] = []

    /// The next update; `nil` at the end of the query. Throws the host's error when it refuses the
    /// query, and `CancellationError` when this task is cancelled.
    public mutating func next() async throws -> Element? {
      while waiting.isEmpty {
        guard let windowChanges = try await feed.rendezvous.take() else { return nil }
        let now = services.now()
        if case .row(let row) = windowChanges {
          let outcome = window.take(row, at: now)
          waiting.append(outcome.moved ? .moved(window) : .skipped(outcome))
        }
        waiting += window.changes(at: now).map(Element.init)
      }
      return waiting.removeFirst()
    }
  }
}

extension SlidingWindows.Element {
  fileprivate init(_ change: SlidingWindow.Change) {
    switch change {
    case .missing(let mnemonics): self = .missing(mnemonics)
    case .returned(let mnemonics): self = .returned(mnemonics)
    }
  }
}

/// The query's rows, and regular ticks for checking the clock, one at a time. Both end with it.
private final class Feed: Sendable {
  enum News: Sendable {
    case row(QueryRow)
    case tick
  }

  let rendezvous = Rendezvous<News>()
  private let tasks: [Task<Void, Never>]

  init(rows: QueryRows, services: any HostServices, patience: Duration) {
    let rendezvous = rendezvous
    let rows = Task {
      do {
        for try await row in rows where await !rendezvous.put(.row(row)) { return }
        rendezvous.finish()
      } catch {
        rendezvous.finish(throwing: error)
      }
    }
    let ticks = Task {
      // Missing rows are reported at most a quarter of the patience too late.
      let pause = max(patience / 4, .milliseconds(50))
      while (try? await services.sleep(for: pause)) != nil, await rendezvous.put(.tick) {}
    }
    tasks = [rows, ticks]
  }

  deinit {
    rendezvous.close()
    tasks.forEach { $0.cancel() }
  }
}

extension Events {
  /// Runs a query and lets a window slide over its rows.
  ///
  /// ```swift
  /// let window = SlidingWindow(
  ///   of: ["POFR"], index: .mnemonic("ETIM", unit: .seconds(1)), duration: .seconds(60))
  /// for try await update in host.events.windows(window, over: query, span: "last 60 seconds") {
  ///   switch update {
  ///   case .moved(let window): check(window.numbers("POFR"))
  ///   case .missing(let mnemonics): host.log(.warning, "No values of \(mnemonics).")
  ///   case .returned, .skipped: break
  ///   }
  /// }
  /// ```
  public func windows(
    _ window: SlidingWindow, over query: String, span: String
  ) -> SlidingWindows {
    SlidingWindows(services: services, rows: self.query(query, span: span), window: window)
  }
}
