internal import CAgentModule

/// A type that a module offers, with its kind.
public struct ContributionType: Sendable {
  let kind: agent_kind
  let name: String
  let create: @Sendable (_ settings: [UInt8], _ host: AgentHost) throws -> Body

  private init<T: Contribution>(
    _ kind: Int, _ type: T.Type, body: @escaping @Sendable (T) -> Body
  ) {
    self.kind = agent_kind(kind)
    self.name = type.name
    self.create = { bytes, host in
      body(try T(settings: decodeSettings(T.Settings.self, bytes), host: host))
    }
  }

  /// A datasource.
  public static func datasource<T: Datasource>(_ type: T.Type) -> ContributionType {
    ContributionType(Int(AGENT_DATASOURCE), type) { value in
      Body(run: { try await value.run() }, sync: value as? any SyncCallable)
    }
  }

  /// A monitor.
  public static func monitor<T: Monitor>(_ type: T.Type) -> ContributionType {
    ContributionType(Int(AGENT_MONITOR), type) { value in
      Body(run: { try await value.run() }, sync: value as? any SyncCallable)
    }
  }

  /// A logic adapter.
  public static func logicAdapter<T: LogicAdapter>(_ type: T.Type) -> ContributionType {
    ContributionType(Int(AGENT_LOGIC_ADAPTER), type) { value in
      var body = answering(value) { input, _ in
        let answer = try await value.respond(to: Statement(input.root))
        return answer?.json ?? ["confidence": 0]
      }
      body.beginsAtOnce = true
      return body
    }
  }

  /// An action.
  public static func action<T: Action>(_ type: T.Type) -> ContributionType {
    ContributionType(Int(AGENT_ACTION), type) { value in
      answering(value) { input, sink in
        let decoded = try decodeInput(T.Input.self, input)
        let progress = ActionProgress(
          traceparent: CallTrace.traceparent, tracestate: CallTrace.tracestate
        ) { sink.part($0.bytes()) }
        return try JSONValue(encoding: try await value.perform(decoded, progress: progress))
      }
    }
  }

  /// A notifier.
  public static func notifier<T: Notifier>(_ type: T.Type) -> ContributionType {
    ContributionType(Int(AGENT_NOTIFIER), type) { value in
      answering(value) { input, _ in try await value.deliver(Notice(input.root)).json }
    }
  }

  /// A strategy.
  public static func strategy<T: Strategy>(_ type: T.Type) -> ContributionType {
    ContributionType(Int(AGENT_STRATEGY), type) { value in
      answering(value) { input, _ in
        try await value.choose(AssignmentRequest(input.root)).json
      }
    }
  }

  /// A route.
  public static func route<T: Route>(_ type: T.Type) -> ContributionType {
    ContributionType(Int(AGENT_ROUTE), type) { value in
      answering(value) { input, _ in
        try await value.respond(to: RouteRequest(input.root)).json
      }
    }
  }
}

/// What an instance can do, whatever its kind.
struct Body: Sendable {
  /// The work of a datasource or monitor.
  var run: (@Sendable () async throws -> Void)?
  /// The answer to a call.
  var answer: (@Sendable (JSONDocument, CallSink) async throws -> JSONValue)?
  /// Whether a call begins on the module's thread, up to the first `await` that waits: a change of
  /// threads costs as much as most answers take.
  var beginsAtOnce = false
  var sync: (any SyncCallable)?
}

private func answering<T: Contribution>(
  _ value: T, _ answer: @escaping @Sendable (JSONDocument, CallSink) async throws -> JSONValue
) -> Body {
  Body(answer: answer, sync: value as? any SyncCallable)
}

private func decodeSettings<T: Decodable>(_ type: T.Type, _ bytes: [UInt8]) throws -> T {
  do {
    return try JSONDocument(parsing: bytes.isEmpty ? Array("{}".utf8) : bytes).root.decode(type)
  } catch {
    // An error of the settings' own type is a sentence for people. A position in the text would
    // mean nothing to them: they haven't seen that text.
    if let own = (error as? JSONDecodingError)?.cause as? ModuleError { throw own }
    throw ModuleError(.invalidSettings, "The settings can't be used: \(error)")
  }
}

private func decodeInput<T: Decodable>(_ type: T.Type, _ input: JSONDocument) throws -> T {
  do {
    return try input.root.decode(type)
  } catch {
    throw ModuleError(.invalidArgument, "The input can't be used: \(error)")
  }
}
