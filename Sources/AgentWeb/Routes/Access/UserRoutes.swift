internal import AgentAccess
internal import AgentJSON
internal import AgentHost
internal import HTTPTypes
internal import Hummingbird

/// Routes of users.
struct UserRoutes {
  let host: HostApplication

  private static let password: JSONValue = [
    "type": "string", "minLength": 8, "maxLength": 1024, "writeOnly": true,
    "description": "the password; only its hash is stored",
  ]

  private static let user = Shape.object(
    "User", required: ["name", "role", "created", "updated"],
    [
      "name": ["type": "string"], "role": role, "created": ["type": "integer"],
      "updated": ["type": "integer"],
    ])

  private static let role: JSONValue = [
    "enum": .array(Role.allCases.map { .string($0.rawValue) })
  ]

  private static let newUser = Shape.object(
    "NewUser", as: "a user", required: ["name", "role"],
    [
      "name": ["type": "string", "minLength": 1, "maxLength": 64], "role": role,
      "password": password,
      "hash": [
        "type": "string", "description": "instead of a password, the output of agent user hash",
      ],
    ]
  ).with([
    "oneOf": [["required": ["password"]], ["required": ["hash"]]],
    "errorMessage": ["oneOf": "a user needs a password, or the hash of one, and not both."],
  ])

  private static let change = Shape.object(
    "UserChange", as: "a change of a user", ["role": role, "password": password]
  ).with([
    "minProperties": 1,
    "errorMessage": ["minProperties": "give the role, the password, or both."],
  ])

  private static let name = APIParameter.path("name", "the user")

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "users", operation: "list_users", summary: "Lists users and their roles.",
        tag: .access, for: .administer,
        replies: [.ok(.list("Users", "users", of: Self.user))]
      ) { [host] _ in Response(try host.access.users()) },
      APIRoute(
        .post, "users", operation: "add_user", summary: "Adds a user.", tag: .access,
        for: .administer,
        body: .json(Self.newUser), replies: [.json(.created, Self.user)]
      ) { [host] call in
        let body = call.body
        let user = try await host.access.addUser(
          body["name"]?.string ?? "", role: body["role"]?.string ?? "",
          password: body["password"]?.string, hash: body["hash"]?.string)
        return Response(user, status: .created)
      },
      APIRoute(
        .patch, "users/{name}", operation: "change_user",
        summary: "Changes a user's role, password or both. The user's tokens are revoked.",
        tag: .access,
        for: .administer, parameters: [Self.name], body: .json(Self.change),
        replies: [.ok(Self.user)]
      ) { [host] call in
        Response(
          try await host.access.changeUser(
            call.path("name"), role: call.body["role"]?.string,
            password: call.body["password"]?.string))
      },
      APIRoute(
        .delete, "users/{name}", operation: "remove_user",
        summary: "Removes a user. The user's tokens are revoked.",
        tag: .access,
        for: .administer, parameters: [Self.name],
        replies: [.ok(.object("Named", required: ["name"], ["name": ["type": "string"]]))]
      ) { [host] call in Response(try await host.access.removeUser(call.path("name"))) },
    ]
  }
}
