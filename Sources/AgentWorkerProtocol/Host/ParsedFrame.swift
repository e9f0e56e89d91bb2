import AgentJSON

/// A worker's frame whose body has been read, so that the session can receive it without parsing.
///
/// Parsing needs no session. The host parses a long body on another thread than the one that serves
/// all workers, and holds no lock meanwhile.
public struct ParsedFrame: Sendable {
  /// The content of a body.
  enum Body {
    case hello(Hello), loaded(Loaded), error(WorkerError), part(Part), published(JSONDocument)
    case publishedInParts(PublishParts)
    case subscribe(Subscribe), credit(Credit), call(Call), log(LogRecord), ended(Ended)
    /// A REPLY whose body is JSON or empty.
    case reply
    /// A kind whose body isn't read, or that a worker doesn't send.
    case unread
  }

  let frame: Frame
  let body: Result<Body, WorkerProtocolError>

  /// Parses a body. Any thread.
  /// - Parameters:
  ///   - frame: a frame whose descriptor was replaced by its contents.
  ///   - credit: the largest number of events that a PUBLISH may have; see
  ///     ``HostSession/publishCredit``.
  public init(_ frame: Frame, publishCredit credit: Int) {
    self.frame = frame
    do throws(WorkerProtocolError) {
      body = .success(try Self.body(of: frame, credit))
    } catch {
      body = .failure(error)
    }
  }

  private static func body(
    of frame: Frame, _ credit: Int
  ) throws(WorkerProtocolError) -> Body {
    switch frame.op {
    // It announced a descriptor that didn't come.
    case _ where frame.descriptor: return .unread
    case .hello: return .hello(try Hello(json: frame.body))
    case .loaded: return .loaded(try Loaded(json: frame.body))
    case .error: return .error(try WorkerError(json: frame.body))
    case .part: return .part(try Part(json: frame.body))
    case .publish: return try publish(frame, credit)
    case .subscribe: return .subscribe(try Subscribe(json: frame.body))
    case .credit: return .credit(try Credit(json: frame.body))
    case .call: return .call(try Call(json: frame.body))
    case .log: return .log(try LogRecord(json: frame.body, call: frame.id))
    case .ended: return .ended(try Ended(json: frame.body))
    case .reply:
      if !frame.body.isEmpty { _ = try document(frame) }
      return .reply
    default: return .unread
    }
  }

  private static func publish(
    _ frame: Frame, _ credit: Int
  ) throws(WorkerProtocolError) -> Body {
    // Rationale: 16 MiB may contain millions of values. Parts bound what is held of them at a time,
    // and if there are more events than the granted credit, none is parsed.
    guard frame.body.count <= PublishParts.maxBytes else {
      return .publishedInParts(try PublishParts(frame.body, credit: credit))
    }
    let document = try document(frame)
    guard document.root.kind == .array,
      document.root.elements.allSatisfy({ $0.kind == .object })
    else { throw .body("PUBLISH", "isn't an array of objects") }
    return .published(document)
  }

  private static func document(
    _ frame: Frame
  ) throws(WorkerProtocolError) -> JSONDocument {
    do {
      return try JSONDocument(parsing: frame.body)
    } catch {
      throw WorkerProtocolError(
        code: .body, message: "The body of \(frame.name) isn't JSON.", cause: "\(error)")
    }
  }
}
