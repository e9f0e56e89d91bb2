internal import AgentAccess
internal import HTTPTypes
internal import Hummingbird

/// Pages for browsers: the overview, the API with forms that send requests, and the setup of the
/// first administrator. They are the same for every reader and hold no data of the agent. They load
/// data from the API with the reader's token.
struct PageRoutes {
  /// All scripts and styles are files of this server. A text in an answer can't become a script,
  /// and the page loads nothing from other machines.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    + "require-trusted-types-for 'script'; trusted-types 'none'"

  var routes: [APIRoute] {
    [
      Self.page("/", operation: "get_home_page", bytes: PackageResources.home_html),
      Self.page("/api", operation: "get_api_page", bytes: PackageResources.api_html),
      Self.page("/setup", operation: "get_setup_page", bytes: PackageResources.setup_html),
      Self.alert,
      Self.file("page.css", type: "text/css; charset=utf-8", bytes: PackageResources.page_css),
    ]
      + Self.scripts.map {
        Self.file($0.name, type: "text/javascript; charset=utf-8", bytes: $0.bytes)
      }
  }

  private static let scripts: [(name: String, bytes: [UInt8])] = [
    ("elements.js", PackageResources.elements_js), ("openapi.js", PackageResources.openapi_js),
    ("operation.js", PackageResources.operation_js), ("page.js", PackageResources.page_js),
    ("request.js", PackageResources.request_js), ("session.js", PackageResources.session_js),
    ("setup.js", PackageResources.setup_js), ("shape.js", PackageResources.shape_js),
    ("sign-in.js", PackageResources.sign_in_js), ("stream.js", PackageResources.stream_js),
  ]

  /// The target of links in notices: the API's page, which shows the alert to a reader with a token.
  /// The link is relative, because a proxy may serve the agent below another path.
  private static let alert = APIRoute(
    .get, "/alerts/{id}", operation: "get_alert_page",
    summary: "Redirects to the page that shows an alert.",
    tag: .agent,
    for: nil, replies: [.empty(.found, "The address of the page.")], options: .undocumented
  ) { call in
    // A number can't put anything else into the address.
    let values = Int64(call.path("id")).map { "?id=\($0)" } ?? ""
    return Response(status: .found, headers: [.location: "../api#get_alert\(values)"])
  }

  private static func page(_ path: String, operation: String, bytes: [UInt8]) -> APIRoute {
    route(path, operation: operation, type: MediaType.html.rawValue, bytes: bytes)
  }

  private static func file(_ name: String, type: String, bytes: [UInt8]) -> APIRoute {
    let word = name.map { $0.isLetter ? $0 : "_" }
    return route("/api/\(name)", operation: "get_\(String(word))", type: type, bytes: bytes)
  }

  private static func route(
    _ path: String, operation: String, type: String, bytes: [UInt8]
  ) -> APIRoute {
    APIRoute(
      .get, path, operation: operation, summary: "A page for browsers.", tag: .agent, for: nil,
      replies: [APIReply(status: .ok, content: [(type, nil)], summary: "The page.")],
      options: .undocumented
    ) { _ in
      var response = Response(bytes: bytes, as: type)
      response.headers[.contentSecurityPolicy] = policy
      response.headers[.cacheControl] = "no-cache"
      if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
      return response
    }
  }
}
