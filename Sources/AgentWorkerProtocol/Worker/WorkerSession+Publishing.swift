import AgentJSON

/// The result of publishing a module's events.
public enum PublishOutcome: Sendable, Equatable {
  /// All events are in these frames.
  case sent([Frame])
  /// These frames contain the events that the credit covers. `.accepted` with the token follows
  /// after the rest was sent.
  case waiting([Frame])
  /// No event was accepted.
  case refused(StatusCode)
}

extension WorkerSession {
  /// Publishes an event (a JSON object) or several (an array). An event of more than
  /// ``FrameBounds/maxEvent`` bytes is refused. Without a token, events that the credit doesn't
  /// cover are refused with `overloaded`.
  public mutating func publish(_ json: [UInt8], token: UInt64?) -> PublishOutcome {
    guard let events = Self.events(in: json) else { return .refused(.invalidArgument) }
    guard !events.isEmpty else { return .sent([]) }
    guard events.allSatisfy({ $0.count <= FrameBounds.maxEvent }) else {
      return .refused(.invalidArgument)
    }
    return publications.publish(events, token: token)
  }

  /// Drops the waiting publications and returns their tokens.
  public mutating func closePublications() -> [UInt64] {
    publications.close()
  }

  private static func events(in json: [UInt8]) -> [[UInt8]]? {
    guard let document = try? JSONDocument(parsing: json) else { return nil }
    switch document.root.kind {
    case .object: return [json]
    case .array:
      guard document.root.elements.allSatisfy({ $0.kind == .object }) else { return nil }
      return document.root.elements.map { Array(json[$0.range]) }
    default: return nil
    }
  }
}
