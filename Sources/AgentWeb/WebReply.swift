internal import AgentJSON
internal import AgentRuntime
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Response {
  /// A JSON answer.
  init(_ value: JSONValue, status: HTTPResponse.Status = .ok) {
    let bytes = value.bytes()
    self.init(
      status: status, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// The answer to a request that failed.
  init(_ error: HostError) {
    self.init(error.json, status: error.code.status)
  }
}

extension HostError.Code {
  var status: HTTPResponse.Status {
    switch self {
    case .notFound: .notFound
    case .conflict: .conflict
    case .preconditionFailed: .preconditionFailed
    case .invalid: .badRequest
    case .invalidSettings: .unprocessableContent
    case .failed: .internalServerError
    case .badGateway: .badGateway
    case .deadlineExceeded: .gatewayTimeout
    case .notReady, .stopping: .serviceUnavailable
    }
  }
}

extension Request {
  /// The body as JSON; an empty body is an empty object.
  func json() async throws -> JSONValue { try await document().root.value }

  /// The body as JSON with its places; an empty body is an empty object.
  func document(limit: Int = 2 << 20) async throws -> JSONDocument {
    let bytes = try await bytes(limit: limit)
    guard !bytes.isEmpty else { return JSONDocument(.object(JSONObject())) }
    do {
      return try JSONDocument(parsing: bytes)
    } catch {
      throw HostError(
        .invalid,
        "The body isn't JSON: line \(error.place.line), column \(error.place.column): "
          + error.message)
    }
  }

  /// The body.
  func bytes(limit: Int) async throws -> [UInt8] {
    do {
      return Array(try await body.collect(upTo: limit).readableBytesView)
    } catch {
      throw HostError(.invalid, "The body is larger than \(limit) bytes, or was cut off.")
    }
  }

  /// A parameter of the query string.
  ///
  /// A plus sign is a blank, as forms and most clients write it.
  func query(_ name: String) -> String? {
    for part in (uri.query ?? "").split(separator: "&") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = sides.first, PercentEncoding.decoded(key, plusIsBlank: true) == name else {
        continue
      }
      return sides.count > 1 ? PercentEncoding.decoded(sides[1], plusIsBlank: true) : ""
    }
    return nil
  }

  /// A number in the query string.
  func integer(_ name: String) throws(HostError) -> Int? {
    guard let text = query(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw HostError(.invalid, "\(name) is a number that isn't negative; found \"\(text)\".")
    }
    return number
  }

  /// A switch in the query string: `?dry_run` or `?dry_run=true`.
  func flag(_ name: String) -> Bool {
    guard let text = query(name) else { return false }
    return text != "false" && text != "0"
  }
}
