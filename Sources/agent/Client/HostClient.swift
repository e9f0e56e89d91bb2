internal import AgentJSON
internal import AgentText
internal import AsyncHTTPClient
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// Sends requests to a running host by the REST API on its socket.
struct HostClient {
  /// The client exists as long as the process, as `HTTPClient.shared` does.
  ///
  /// Rationale: answers aren't compressed. On a local socket compression saves nothing, and the
  /// client takes a very well compressed answer for an attack on its memory.
  private static let patient = make(connectsAgain: true)
  /// For a caller that repeats the request itself, and looks at the host in between.
  private static let connectingOnce = make(connectsAgain: false)

  private static func make(connectsAgain: Bool) -> HTTPClient {
    var configuration = HTTPClient.Configuration.singletonConfiguration
    configuration.decompression = .disabled
    configuration.redirectConfiguration = .disallow
    configuration.connectionPool.retryConnectionEstablishment = connectsAgain
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// The path of `.agent/agent.sock`.
  let socket: String
  /// Whether a connection that fails is tried again until the request's time-out. A host that has
  /// just ended leaves its socket behind.
  var connectsAgain = true

  private var client: HTTPClient { connectsAgain ? Self.patient : Self.connectingOnce }

  /// Sends a request and returns the JSON of its answer.
  /// - Throws: `Failure` with the host's message if it refuses.
  func request(
    _ method: HTTPMethod = .GET, _ path: String, body: JSONValue? = nil,
    headers: [(String, String)] = [], timeout: TimeAmount = .seconds(60)
  ) async throws -> JSONValue {
    var request = HTTPClientRequest(url: url(path))
    request.method = method
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if let body {
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(ByteBuffer(bytes: body.bytes()))
    }
    return try await Self.answer(execute(request, timeout: timeout))
  }

  /// Sends lines of JSON in one body.
  func request(_ method: HTTPMethod, _ path: String, lines: [UInt8]) async throws -> JSONValue {
    var request = HTTPClientRequest(url: url(path))
    request.method = method
    request.headers.add(name: "content-type", value: "application/x-ndjson")
    request.body = .bytes(ByteBuffer(bytes: lines))
    return try await Self.answer(execute(request, timeout: .minutes(10)))
  }

  /// Calls `take` with the bytes of an answer as they arrive.
  func download(_ path: String, _ take: ([UInt8]) -> Void) async throws {
    let response = try await execute(HTTPClientRequest(url: url(path)), timeout: .hours(24))
    guard response.status == .ok else {
      _ = try await Self.answer(response)
      return
    }
    do {
      for try await chunk in response.body { take(Array(chunk.readableBytesView)) }
    } catch {
      throw Failure("The host's response was cut off: \(error)")
    }
  }

  /// Returns the bytes of an answer that isn't JSON.
  func bytes(_ method: HTTPMethod, _ path: String) async throws -> [UInt8] {
    var request = HTTPClientRequest(url: url(path))
    request.method = method
    let response = try await execute(request, timeout: .minutes(10))
    guard response.status == .ok else {
      _ = try await Self.answer(response)
      return []
    }
    return Array(try await response.body.collect(upTo: 256 << 20).readableBytesView)
  }

  /// Sends a body in pieces, as fast as the host accepts them, and returns the JSON of its answer.
  func upload<Pieces: AsyncSequence & Sendable>(
    _ pieces: Pieces, as contentType: String, to path: String
  ) async throws -> JSONValue where Pieces.Element == [UInt8] {
    var request = HTTPClientRequest(url: url(path))
    request.method = .POST
    request.headers.add(name: "content-type", value: contentType)
    request.body = .stream(pieces.map { ByteBuffer(bytes: $0) }, length: .unknown)
    let response: HTTPClientResponse
    do {
      response = try await client.execute(request, timeout: .hours(24 * 365))
    } catch {
      throw Failure(
        "The host didn't respond, so it isn't known how much was stored: \(error). "
          + "\"agent events types\" lists what the log holds.")
    }
    return try await Self.answer(response)
  }

  private static func answer(_ response: HTTPClientResponse) async throws -> JSONValue {
    let bytes = try await response.body.collect(upTo: 64 << 20)
    let value: JSONValue
    do {
      value = try JSONDocument(parsing: Array(bytes.readableBytesView)).root.value
    } catch {
      throw unreadable(response.status)
    }
    if (200..<300).contains(response.status.code) { return value }
    throw failure(value, status: response.status)
  }

  /// Returns the failure for a response without JSON. The parser of HTTP refuses some requests before
  /// the host sees them, such as one with a name of 100,000 letters, and sends only a status.
  private static func unreadable(_ status: HTTPResponseStatus) -> Failure {
    if (200..<300).contains(status.code) {
      return Failure(
        "The host's response can't be read. \"agent status\" shows whether it has another version.")
    }
    return Failure(
      "The host refused the request with status \(status.code) (\(status.reasonPhrase)) and gave no "
        + "reason. A name in it may be too long.")
  }

  /// Calls `line` for each line of a stream until the stream ends or `line` returns false.
  func lines(_ path: String, _ line: (Substring) throws -> Bool) async throws {
    let response = try await execute(HTTPClientRequest(url: url(path)), timeout: .hours(24 * 365))
    guard response.status == .ok else {
      let bytes = try await response.body.collect(upTo: 1 << 20)
      let value = try? JSONDocument(parsing: Array(bytes.readableBytesView)).root.value
      throw Self.failure(value ?? .null, status: response.status)
    }
    var splitter = StreamLines()
    for try await chunk in response.body {
      for text in splitter.lines(of: chunk.readableBytesView) {
        guard try line(text[...]) else { return }
      }
    }
  }

  private func execute(
    _ request: HTTPClientRequest, timeout: TimeAmount
  ) async throws -> HTTPClientResponse {
    do {
      return try await client.execute(request, timeout: timeout)
    } catch let error as HTTPClientError where error == .deadlineExceeded {
      throw Failure("The host didn't respond in time. \"agent logs agent\" may say why.")
    } catch {
      throw Failure("The host can't be reached at \(socket): \(error)", exit: .notRunning)
    }
  }

  private func url(_ path: String) -> String {
    "http+unix://\(Self.escaped(socket))" + (path.hasPrefix("/") ? path : "/api/v1/\(path)")
  }

  /// Returns a path with the parameters that have a value.
  static func path(_ path: String, _ parameters: (name: String, value: String?)...) -> String {
    let given = parameters.compactMap { parameter in
      parameter.value.map { "\(parameter.name)=\(escaped($0))" }
    }
    return given.isEmpty ? path : "\(path)?\(given.joined(separator: "&"))"
  }

  /// Encodes a part of a path or a value of a query.
  static func escaped(_ text: String) -> String {
    PercentEncoding.encoded(text)
  }

  private static func failure(_ value: JSONValue, status: HTTPResponseStatus) -> Failure {
    var message = value["detail"]?.string ?? "The host responded with status \(status.code)."
    // The person has typed a command line and knows of no body, so the message leaves it out.
    if message.hasPrefix("The body isn't a"), let mark = message.firstRange(of: ": ") {
      message = String(message[mark.upperBound...])
    }
    // The problems of the request are in the message already. Only those with a text are added.
    for problem in value["problems"]?.array ?? [] {
      if let text = problem["text"]?.string { message += "\n  " + text }
    }
    // These refusals pass by themselves, so a repetition may succeed.
    let passing: [HTTPResponseStatus] = [.requestTimeout, .tooManyRequests]
    return Failure(
      message, exit: status == .notFound ? .notFound : .failure,
      isRefusal: (400..<500).contains(status.code) && !passing.contains(status))
  }
}
