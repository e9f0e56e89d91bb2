internal import AgentAccess
internal import AgentJSON
internal import AgentHost
internal import AgentSettings
internal import HTTPTypes
internal import Hummingbird

/// Routes for signing in and out, and for the setup of the first administrator.
///
/// The principal is unknown before the sign-in. These routes therefore write their own audit lines,
/// with the principal that they found.
struct SessionRoutes {
  let host: HostApplication

  /// The maximum length of a body from an unknown sender, in bytes. It holds a name and a password,
  /// or a secret.
  private static let longestBody = 4 << 10

  private static let who: JSONObject = [
    "kind": ["enum": .array(Principal.Kind.allCases.map { .string($0.rawValue) })],
    "name": ["type": "string"],
    "role": ["enum": .array(Role.allCases.map { .string($0.rawValue) } + [.null])],
    "scopes": ["type": "array", "items": ["type": "string"]],
  ]

  private static let session: Shape = {
    var members = who
    members["token"] = ["type": "string", "description": "the bearer token for further requests"]
    members["expires"] = ["type": "integer", "description": "Unix milliseconds"]
    return .object("Session", required: ["token", "expires", "name", "role", "scopes"], members)
  }()

  private static let password: JSONValue = [
    "type": "string", "maxLength": 1024, "writeOnly": true,
  ]

  private static let credentials = Shape.object(
    "Credentials", as: "a name and a password", required: ["user", "password"],
    ["user": ["type": "string", "maxLength": 64], "password": password])

  private static let setup = Shape.object(
    "Setup", as: "the first administrator", required: ["secret", "name", "password"],
    [
      "secret": [
        "type": "string", "maxLength": 200, "writeOnly": true,
        "description": "the content of .agent/setup-secret",
      ],
      "name": ["type": "string", "minLength": 1, "maxLength": 64], "password": password,
    ])

  var routes: [APIRoute] {
    [
      APIRoute(
        .post, "sessions", operation: "sign_in",
        summary: "Signs in with a password. The response has a token that expires.",
        tag: .access, for: nil, body: .json(Self.credentials, limit: Self.longestBody),
        replies: [.json(.created, Self.session)], options: .unaudited
      ) { try await signIn($0) },
      APIRoute(
        .get, "sessions/current", operation: "who_am_i",
        summary: "Returns the caller's identity and permissions.",
        tag: .access,
        for: .read, replies: [.ok(.object("Who", required: ["kind", "name", "scopes"], Self.who))],
        options: [.anyScope, .forBots]
      ) { [host] call in Response(try host.access.whoIs(call.principal)) },
      APIRoute(
        .delete, "sessions/current", operation: "sign_out",
        summary: "Revokes the token of this request.",
        tag: .access, for: .read, replies: [.empty(.noContent, "The token is no longer valid.")],
        options: [.anyScope, .forBots]
      ) { [host] call in
        try await host.access.signOut(call.principal)
        return Response(status: .noContent)
      },
      APIRoute(
        .post, "setup", operation: "set_up",
        summary: "Creates the first administrator, once. It needs the setup secret.",
        tag: .access, for: nil, body: .json(Self.setup, limit: Self.longestBody),
        replies: [.json(.created, .anyObject)], options: .unaudited
      ) { try await setUp($0) },
    ]
  }

  private func signIn(_ call: APICall) async throws -> Response {
    let session: JSONValue
    do {
      session = try await host.access.signIn(
        call.body["user"]?.string ?? "", password: call.body["password"]?.string ?? "",
        from: NetworkPrefix.client(at: call.address))
    } catch {
      // An unknown name gets a line too. Otherwise its answer would come sooner and show that the
      // name is unknown.
      if error.code == .unauthenticated {
        await record("sign_in", by: nil, call, outcome: "unauthenticated")
      }
      throw error
    }
    await record("sign_in", by: session["name"]?.string, call, outcome: "done")
    return Response(session, status: .created)
  }

  private func setUp(_ call: APICall) async throws -> Response {
    let body = call.body
    let user = try await host.access.setUp(
      with: body["secret"]?.string ?? "", name: body["name"]?.string ?? "",
      password: body["password"]?.string ?? "")
    await record("set_up", by: user["name"]?.string, call, outcome: "done")
    return Response(user, status: .created)
  }

  /// - Parameter name: the user's name. Nil means that no user was found. The typed name is left
  ///   out then, because it may be a password.
  private func record(
    _ action: String, by name: String?, _ call: APICall, outcome: String
  ) async {
    let actor = name.map { Principal(kind: .person, name: $0, scopes: []) } ?? call.principal
    await host.access.record(
      AuditLog.Entry(
        actor: actor, address: call.address, client: NetworkPrefix.client(at: call.address),
        action: action, target: name ?? "", outcome: outcome,
        detail: ["request_id": .string(call.id)]))
  }
}
