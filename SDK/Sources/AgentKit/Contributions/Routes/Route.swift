/// Answers requests to the agent's HTTP port below `/modules/NAME/` that have the method and path
/// of the manifest. The host has already authenticated the caller and checked the body against the
/// manifest's schema.
///
/// ```swift
/// struct Summary: Route {
///   static let name = "summary"
///   …
///   func respond(to request: RouteRequest) async throws -> RouteReply {
///     try .json(try await summary(of: request.parameter("day")))
///   }
/// }
/// ```
public protocol Route: Contribution {
  /// Answers a request. The task is cancelled when the client is gone or the deadline passes.
  /// Several requests may run at the same time. A thrown `ModuleError` becomes the status: 400 for
  /// `.invalidArgument`, 409 for `.conflict`, 503 for `.overloaded`, 502 for the others.
  func respond(to request: RouteRequest) async throws -> RouteReply
}

/// A request to a route.
public struct RouteRequest: Sendable, Hashable {
  /// The method, in capitals. HEAD arrives as GET.
  public var method: String
  /// The path below `/modules/NAME/`, decoded.
  public var path: String
  /// The part of the path for each `{parameter}` of the manifest.
  public var parameters: [String: String]
  /// The query's values by name, in their order.
  public var query: [String: [String]]
  /// The headers by their names in lower case. Headers that authenticate the caller are left out.
  public var headers: [String: String]
  /// The caller's name for people: the label of a token, or a user's name.
  public var principal: String?
  /// The body.
  public var body: [UInt8]

  /// Makes a request; for tests.
  public init(
    _ method: String = "GET", _ path: String = "", parameters: [String: String] = [:],
    query: [String: [String]] = [:], headers: [String: String] = [:], principal: String? = nil,
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.parameters = parameters
    self.query = query
    self.headers = headers
    self.principal = principal
    self.body = body
  }

  /// The part of the path for a parameter; empty if the manifest has no such parameter.
  public func parameter(_ name: String) -> String { parameters[name] ?? "" }

  /// The query's first value for a name.
  public func query(_ name: String) -> String? { query[name]?.first }

  /// The body as text; invalid UTF-8 is replaced.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON.
  /// - Throws: `.invalidArgument` when it isn't JSON.
  public func json() throws(ModuleError) -> JSONValue {
    do {
      return try JSONDocument(parsing: body).root.value
    } catch {
      throw ModuleError(.invalidArgument, "The body isn't JSON: \(error)")
    }
  }

  /// Decodes the JSON body as a `T`.
  /// - Throws: `.invalidArgument` when it is something else.
  public func decode<T: Decodable>(_ type: T.Type = T.self) throws(ModuleError) -> T {
    do {
      return try JSONDocument(parsing: body).root.decode(type)
    } catch {
      throw ModuleError(.invalidArgument, "The body can't be used: \(error)")
    }
  }
}

extension RouteRequest {
  init(_ node: JSONNode) throws(ModuleError) {
    guard let method = node["method"]?.string, let path = node["path"]?.string else {
      throw ModuleError(.invalidArgument, "A request needs a \"method\" and a \"path\".")
    }
    var body = node["body"]?.string.map { Array($0.utf8) } ?? []
    if let encoded = node["body_base64"]?.string {
      guard let bytes = JSONBase64.decode(encoded) else {
        throw ModuleError(.invalidArgument, "The request's \"body_base64\" isn't base64.")
      }
      body = bytes
    }
    var query: [String: [String]] = [:]
    if let given = node["query"] {
      for member in given.members {
        query[member.key] = member.value.elements.compactMap(\.string)
      }
    }
    self.init(
      method, path, parameters: Self.texts(node["parameters"]), query: query,
      headers: Self.texts(node["headers"]), principal: node["principal"]?.string, body: body)
  }

  private static func texts(_ node: JSONNode?) -> [String: String] {
    var texts: [String: String] = [:]
    for member in node.map({ Array($0.members) }) ?? [] { texts[member.key] = member.value.string }
    return texts
  }
}
