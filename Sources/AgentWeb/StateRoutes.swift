internal import AgentJSON
internal import AgentRuntime
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// Looks at the state of processes and changes it. A key's version is its ETag.
struct StateRoutes {
  /// The longest body of lines to import.
  private static let longestImport = 256 << 20

  let host: AgentHost

  func add(to routes: RouterGroup<BasicRequestContext>) {
    let host = host
    routes.get("state") { _, _ in Response(try await host.keptState().owners()) }
    routes.get("state/:owner") { request, context in
      Response(
        try await host.keptState().list(
          try context.parameter("owner"), prefix: request.query("prefix") ?? "",
          after: request.query("after"), limit: try request.integer("limit"),
          values: request.query("values") == nil || request.flag("values")))
    }
    addKeys(to: routes)
    routes.get("export/state") { request, _ in
      let lines = try await host.keptState().export(request.query("owner"))
      return Response(
        streaming: lines, to: request, as: "application/x-ndjson", opening: "", text: { $0 },
        end: {})
    }
    routes.post("import/state") { request, _ in
      let lines = try await request.bytes(limit: Self.longestImport)
      return Response(
        try await host.keptState().import(lines, replacing: request.flag("replace")))
    }
  }

  private func addKeys(to routes: RouterGroup<BasicRequestContext>) {
    let host = host
    routes.get("state/:owner/:key") { request, context in
      let (owner, key) = (try context.parameter("owner"), try context.parameter("key"))
      if request.flag("history") {
        return Response(try await host.keptState().history(owner, key))
      }
      return Self.tagged(try await host.keptState().entry(owner, key))
    }
    routes.put("state/:owner/:key") { request, context in
      let value = try await request.bytes(limit: 4 << 20)
      return Self.tagged(
        try await host.keptState().set(
          try context.parameter("owner"), try context.parameter("key"), to: value,
          expected: try Self.expected(request)))
    }
    routes.delete("state/:owner/:key") { request, context in
      Response(
        try await host.keptState().remove(
          try context.parameter("owner"), try context.parameter("key"),
          expected: try Self.expected(request)))
    }
  }

  /// The answer with the version as its ETag.
  private static func tagged(_ answer: JSONValue) -> Response {
    var response = Response(answer)
    if let version = answer["version"]?.int { response.headers[.eTag] = "\"\(version)\"" }
    return response
  }

  /// The version that a key must have, by `If-Match` and `If-None-Match`.
  private static func expected(_ request: Request) throws(HostError) -> Int64? {
    if let header = request.headers[.ifNoneMatch] {
      guard header == "*" else {
        throw HostError(.invalid, "If-None-Match is *, for a key that must not be there.")
      }
      return 0
    }
    guard let header = request.headers[.ifMatch] else { return nil }
    let digits =
      header.hasPrefix("\"") && header.hasSuffix("\"") ? header.dropFirst().dropLast() : header[...]
    guard let version = Int64(digits), version >= 0 else {
      throw HostError(.invalid, "If-Match is the ETag of a key, such as \"3\"; found \(header).")
    }
    return version
  }
}
