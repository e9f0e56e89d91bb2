internal import AgentAccess
internal import AgentJSON
internal import AgentHost
internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// Routes of the state of processes. The version of a key is its ETag.
struct StateRoutes {
  /// The maximum size of an import, in bytes.
  private static let longestImport = 256 << 20

  let host: HostApplication

  private static let owner = APIParameter.path("owner", "a process, or module:NAME")
  private static let key = APIParameter.path("key", "the key")
  /// Former versions took control characters, so such keys can be read and removed.
  private static let newKey = APIParameter(
    place: .path, name: "key", kind: .name, summary: "the key")
  private static let written = Shape.object(
    "StateVersion", required: ["version"], ["version": ["type": "integer"]])
  /// The value of a key, or its versions with `history`.
  private static let entry = Shape.object(
    "StateEntry",
    [
      "owner": ["type": "string"], "key": ["type": "string"], "value": [:],
      "version": ["type": "integer"], "updated": ["type": "integer"],
      "entries": ["type": "array"],
    ], open: true)

  var routes: [APIRoute] { owners + keys + transfer }

  private var owners: [APIRoute] {
    [
      APIRoute(
        .get, "state", operation: "list_state_owners", summary: "Lists the owners of state.",
        tag: .state, for: .read,
        replies: [.ok(.list("StateOwners", "owners", of: .anyObject))]
      ) { [host] _ in Response(try await host.keptState().owners()) },
      APIRoute(
        .get, "state/{owner}", operation: "list_state", summary: "Lists the state of a process.",
        tag: .state,
        for: .read,
        parameters: [
          Self.owner, .query("prefix", .text, summary: "only keys with this prefix"),
          .query("after", .text, summary: "only keys after this one"),
          .query("limit", .integer(1...1000), summary: "maximum number of results; 100 by default"),
          .query("values", .flag, summary: "whether to include values; true by default"),
        ], replies: [.ok(.list("StateEntries", "entries", of: .anyObject).opened)], options: .large
      ) { [host] call in
        Response(
          try await host.keptState().list(
            call.path("owner"), prefix: call.text("prefix") ?? "", after: call.text("after"),
            limit: call.integer("limit"),
            values: call.text("values") == nil || call.flag("values")))
      },
      APIRoute(
        .delete, "state/{owner}", operation: "forget_state",
        summary: "Deletes the state of a process that isn't running, including the history.",
        tag: .state,
        for: .administer, parameters: [Self.owner],
        replies: [
          .ok(
            .object(
              "StateForgotten", required: ["keys", "bytes"],
              ["keys": ["type": "integer"], "bytes": ["type": "integer"]]))
        ]
      ) { [host] call in Response(try await host.forgetState(of: call.path("owner"))) },
    ]
  }

  private var keys: [APIRoute] {
    [
      APIRoute(
        .get, "state/{owner}/{key}", operation: "get_state",
        summary: "Returns a value. The ETag is its version.",
        tag: .state,
        for: .read,
        parameters: [
          Self.owner, Self.key, .query("history", .flag, summary: "return the earlier values"),
        ],
        replies: [.ok(Self.entry)], options: .large
      ) { [host] call in
        let (owner, key) = (call.path("owner"), call.path("key"))
        if call.flag("history") { return Response(try await host.keptState().history(owner, key)) }
        return Self.tagged(try await host.keptState().entry(owner, key))
      },
      APIRoute(
        .put, "state/{owner}/{key}", operation: "set_state",
        summary: "Sets a value; with If-Match or If-None-Match: * only if nobody else changed it.",
        tag: .state,
        for: .operate, parameters: [Self.owner, Self.newKey],
        body: .json(.anything, limit: 4 << 20), replies: [.ok(Self.written)]
      ) { [host] call in
        Self.tagged(
          try await host.keptState().set(
            call.path("owner"), call.path("key"), to: call.bytes,
            expected: try Self.expected(call.request)))
      },
      APIRoute(
        .delete, "state/{owner}/{key}", operation: "remove_state", summary: "Removes a value.",
        tag: .state,
        for: .operate, parameters: [Self.owner, Self.key], replies: [.ok(Self.written)]
      ) { [host] call in
        Response(
          try await host.keptState().remove(
            call.path("owner"), call.path("key"), expected: try Self.expected(call.request)))
      },
    ]
  }

  private var transfer: [APIRoute] {
    [
      APIRoute(
        .get, "export/state", operation: "export_state",
        summary: "Returns the state of all processes as lines of JSON.",
        tag: .state, for: .read,
        parameters: [.query("owner", .text, summary: "only state of this owner")],
        replies: [.text([.lines], "One key per line.")], options: [.named, .streams, .ends]
      ) { [host] call in
        let lines = try await host.keptState().export(call.text("owner"))
        return Response(
          streaming: lines, to: call, as: MediaType.lines.rawValue, opening: "",
          text: { $0 }, end: {})
      },
      APIRoute(
        .post, "import/state", operation: "import_state",
        summary: "Imports lines in the format of the export.",
        tag: .state,
        for: .administer,
        parameters: [
          .query("replace", .flag, summary: "delete all other keys of the owners in the import")
        ],
        body: .lines(limit: Self.longestImport),
        replies: [
          .ok(
            .object(
              "StateImport", required: ["owners", "set", "removed", "unchanged"],
              [
                "owners": ["type": "integer"], "set": ["type": "integer"],
                "removed": ["type": "integer"], "unchanged": ["type": "integer"],
              ]))
        ]
      ) { [host] call in
        Response(
          try await host.keptState().import(call.bytes, replacing: call.flag("replace")))
      },
    ]
  }

  /// Returns the answer with the version as its ETag.
  private static func tagged(_ answer: JSONValue) -> Response {
    var response = Response(answer)
    if let version = answer["version"]?.int { response.headers[.eTag] = "\"\(version)\"" }
    return response
  }

  /// Returns the version that `If-Match` and `If-None-Match` require: 0 for a key that must not
  /// exist, nil for any.
  /// - Throws: `invalid` if a header is neither.
  static func expected(_ request: Request) throws(HostError) -> Int64? {
    if let header = request.headers[.ifNoneMatch] {
      guard header == "*" else {
        throw HostError(.invalid, "If-None-Match must be *, for a key that must not exist.")
      }
      return 0
    }
    guard let header = request.headers[.ifMatch] else { return nil }
    let digits =
      header.hasPrefix("\"") && header.hasSuffix("\"") ? header.dropFirst().dropLast() : header[...]
    guard let version = Int64(digits), version >= 0 else {
      throw HostError(
        .invalid, "If-Match must be the ETag of a key, such as \"3\"; found \(header).")
    }
    return version
  }
}
