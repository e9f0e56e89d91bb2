internal import AgentAccess
internal import AgentJSON
internal import AgentHost
internal import HTTPTypes
internal import Hummingbird

/// Routes of the tokens of programs, bots and people.
struct TokenRoutes {
  let host: HostApplication

  private static let members: JSONObject = {
    let moment: JSONValue = ["type": ["integer", "null"]]
    return [
      "id": ["type": "string"], "name": ["type": "string"],
      "kind": ["enum": ["person", "program", "bot"]], "subject": ["type": "string"],
      "scopes": ["type": "array", "items": ["type": "string"]],
      "state": ["enum": ["active", "expired", "revoked"]], "created": ["type": "integer"],
      "expires": moment, "revoked": moment, "used": moment,
    ]
  }()

  private static let required = ["id", "name", "kind", "subject", "scopes", "state", "created"]
  private static let token = Shape.object("Token", required: required, members)

  private static let made: Shape = {
    var members = Self.members
    members["token"] = [
      "type": "string", "description": "the token itself; it can't be read again",
    ]
    return .object("TokenMade", required: required + ["token"], members)
  }()

  private static let order = Shape.object(
    "NewToken", as: "a token", required: ["name", "scopes"],
    [
      "name": [
        "type": "string", "minLength": 1, "maxLength": 200, "description": "purpose of the token",
      ],
      "scopes": [
        "type": "array", "minItems": 1, "uniqueItems": true,
        "items": ["enum": .array(Scope.all.map { .string($0.rawValue) })],
      ],
      "user": [
        "type": "string", "minLength": 1, "description": "the user that the token belongs to",
      ],
      "bot": [
        "type": "string", "minLength": 1, "description": "the bot that the token belongs to",
      ],
      "lifetime_ms": [
        "type": "integer", "minimum": 1,
        "description": "lifetime in milliseconds; unlimited by default",
      ],
    ]
  ).with([
    "not": ["required": ["user", "bot"]],
    "errorMessage": ["not": "a token is for a user or for a bot, not for both."],
  ])

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "tokens", operation: "list_tokens",
        summary: "Lists active tokens, without their text.", tag: .access,
        for: .administer,
        parameters: [.query("all", .flag, summary: "also list revoked and expired tokens")],
        replies: [.ok(.list("Tokens", "tokens", of: Self.token))]
      ) { [host] call in Response(try host.access.tokens(all: call.flag("all"))) },
      APIRoute(
        .post, "tokens", operation: "create_token",
        summary: "Creates a token. Only this response shows it.",
        tag: .access,
        for: .administer, body: .json(Self.order), replies: [.json(.created, Self.made)],
        options: .named
      ) { [host] call in
        let body = call.body
        let token = try await host.access.createToken(
          body["name"]?.string ?? "", scopes: body["scopes"]?.array?.compactMap(\.string) ?? [],
          user: body["user"]?.string, bot: body["bot"]?.string,
          lifetime: body["lifetime_ms"]?.int.map { Int64($0) }, by: call.principal)
        return Response(token, status: .created)
      },
      APIRoute(
        .delete, "tokens/{id}", operation: "revoke_token", summary: "Revokes a token.",
        tag: .access,
        for: .administer, parameters: [.path("id", "the token's id, the part after bulkhead_")],
        replies: [.ok(.object("Revoked", required: ["id"], ["id": ["type": "string"]]))]
      ) { [host] call in Response(try await host.access.revokeToken(call.path("id"))) },
    ]
  }
}
