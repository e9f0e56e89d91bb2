internal import AgentJSON
internal import AgentHost
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Reads the parts of a request and checks them against the route's declaration.
struct RequestReader {
  /// The maximum size of a body in bytes, unless the route has its own.
  var limit = 2 << 20
  /// The maximum nesting of JSON.
  var depth = 64

  /// Checks the parts of the path that the route declares.
  func path(_ values: [String: String], for route: APIRoute) throws {
    for parameter in route.parameters where parameter.place == .path {
      try parameter.check(values[parameter.name] ?? "")
    }
  }

  /// Returns the query string. Throws if it has a name that the route doesn't declare.
  func query(_ request: Request, for route: APIRoute) throws -> QueryString {
    guard let text = request.uri.query, !text.isEmpty else { return QueryString("") }
    let query = QueryString(text[...])
    if route.options.contains(.undocumented) { return query }
    var seen: Set<String> = []
    for (name, value) in query.pairs {
      guard let parameter = route.parameters.first(where: { $0.place == .query && $0.name == name })
      else { throw Self.unknown(name, in: route) }
      guard seen.insert(name).inserted else {
        throw HostError(.invalid, "The query string has \(name) more than once.")
      }
      try parameter.check(value)
    }
    return query
  }

  private static func unknown(_ name: String, in route: APIRoute) -> HostError {
    let known = route.parameters.filter { $0.place == .query }.map(\.name)
    let there =
      known.isEmpty ? "It takes none." : "There are \(known.joined(separator: ", "))."
    return HostError(.invalid, "There is no parameter \"\(name)\" here. \(there)")
  }

  /// Returns the bytes of the body, and the JSON in them.
  /// - Parameter share: counts the bytes as they arrive, and makes the body wait for room.
  func body(
    _ request: Request, for route: APIRoute, counting share: BodyBudget.Share? = nil
  ) async throws -> (bytes: [UInt8], document: JSONDocument?) {
    guard let body = route.body else {
      try await refuseBody(request)
      return ([], nil)
    }
    let limit = body.limit ?? limit
    let header = request.headers[.contentType]
    let type = header.flatMap(MediaType.init(header:))
    if case .jsonOrLines = body.content, type == .lines { return ([], nil) }
    // A request that has neither header has no body (RFC 9112, section 6.3).
    let isEmpty =
      request.headers[.contentLength] ?? "0" == "0" && request.headers[.transferEncoding] == nil
    if !isEmpty || header != nil || !body.isOptional {
      try Self.check(type, header, for: body)
    }
    let bytes = try await Self.bytes(of: request, limit: limit, counting: share)
    guard case .json(let shape) = body.content.asJSON else { return (bytes, nil) }
    if bytes.isEmpty {
      if body.isOptional { return ([], nil) }
      throw HostError(.invalid, "The body is missing. Send \(shape.phrase) as JSON.")
    }
    return (bytes, try document(bytes, shape, limit: limit))
  }

  private func document(_ bytes: [UInt8], _ shape: Shape, limit: Int) throws -> JSONDocument {
    let document: JSONDocument
    do {
      let limits = JSONLimits(maxDepth: depth, maxBytes: limit)
      document = try JSONDocument(parsing: bytes, limits: limits)
    } catch {
      throw HostError(
        .invalid,
        "The body isn't JSON: line \(error.place.line), column \(error.place.column): "
          + error.message)
    }
    if let refusal = shape.refusal(of: document) { throw refusal }
    return document
  }

  /// Refuses a body if the route accepts none. Such a request probably has the wrong address or
  /// method.
  private func refuseBody(_ request: Request) async throws {
    let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
    guard length > 0 || request.headers[.transferEncoding] != nil else { return }
    // The body isn't read, whatever its size. Only a chunked body may turn out to be empty.
    if length == 0, try await Self.isEmpty(request) { return }
    throw HostError(.invalid, "This route takes no body, and the request has one.")
  }

  private static func isEmpty(_ request: Request) async throws -> Bool {
    do {
      return try await request.body.collect(upTo: 0).readableBytes == 0
    } catch is NIOTooManyBytesError {
      return false
    } catch {
      throw HostError(.invalid, "The body was cut off.")
    }
  }

  private static func check(_ type: MediaType?, _ header: String?, for body: APIBody) throws {
    let wanted = body.mediaTypes
    if wanted.isEmpty { return }
    if let type, wanted.contains(type) { return }
    let names = wanted.map(\.rawValue).joined(separator: " or ")
    let found = header.map { "found \"\($0)\"" } ?? "there is none"
    throw APIProblem(
      .unsupportedMediaType, code: "unsupported_media_type",
      message: "The Content-Type must be \(names); \(found).")
  }

  private static func bytes(
    of request: Request, limit: Int, counting share: BodyBudget.Share?
  ) async throws -> [UInt8] {
    let tooLarge = APIProblem(
      .contentTooLarge, code: "too_large",
      message: "The body has more than \(limit) bytes, which is the limit.")
    // A declared length is refused before a byte of the body is read.
    if let text = request.headers[.contentLength], let length = Int(text), length > limit {
      throw tooLarge
    }
    var bytes: [UInt8] = []
    do {
      for try await part in request.body {
        guard bytes.count + part.readableBytes <= limit else { throw tooLarge }
        try await share?.take(part.readableBytes)
        bytes += part.readableBytesView
      }
      share?.received()
      return bytes
    } catch let problem as APIProblem {
      throw problem
    } catch is CancellationError where Task.isCancelled {
      throw CancellationError()
    } catch {
      throw HostError(.invalid, "The body was cut off.")
    }
  }
}

extension APIBody.Content {
  /// The same kind with lines read as JSON before the work begins.
  fileprivate var asJSON: APIBody.Content {
    if case .jsonOrLines(let shape) = self { .json(shape) } else { self }
  }
}
