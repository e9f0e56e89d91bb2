import AgentJSON
import TestSupport
import Testing

@testable import AgentModules

@Suite struct RouteTests {
  private func match(_ pattern: String, _ path: String) throws -> [String: String]? {
    let segments = path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false)
    return try RoutePattern(pattern).match(segments.map(String.init))
  }

  @Test func `a pattern matches the paths of its shape`() throws {
    #expect(try match("", "") == [:])
    #expect(try match("", "a") == nil)
    #expect(try match("summary/{day}", "summary/today") == ["day": "today"])
    #expect(try match("summary/{day}", "summary") == nil)
    #expect(try match("summary/{day}", "summary/a/b") == nil)
    #expect(try match("summary/{day}", "Summary/a") == nil)
    #expect(try match("{a}/x/{b}", "1/x/2") == ["a": "1", "b": "2"])
    #expect(try match("files/{path...}", "files/a/b.txt") == ["path": "a/b.txt"])
    #expect(try match("files/{path...}", "files") == nil)
  }

  @Test(arguments: [
    "/a", "a/", "a//b", "a/..", ".", "a b", "ä", "{}", "{1}", "{a", "{a}x", "{a...}/b", "{a}/{a}",
    "a?b", "a%20b", "{...}",
  ])
  func `a text that is no pattern is refused with a sentence`(_ text: String) {
    let problem = #expect(throws: RoutePattern.Problem.self) { try RoutePattern(text) }
    #expect(problem?.message.isEmpty == false)
  }

  // MARK: Choosing

  private func find(_ method: String, _ path: [String], in routes: [String]) -> String {
    let declared = routes.compactMap { text -> RouteDeclaration? in
      let words = text.split(separator: " ").map(String.init)
      guard let pattern = try? RoutePattern(words.count > 1 ? words[1] : "") else { return nil }
      return RouteDeclaration(method: words[0], path: pattern, scope: "read")
    }
    switch RouteMatch(method, path, among: declared, declaration: { $0 }) {
    case .found(let route, _): return "\(route.path)"
    case .otherMethods(let methods): return methods.joined(separator: ",")
    case .none: return "none"
    }
  }

  @Test func `the more specific route wins`() {
    let routes = ["GET {all...}", "GET {day}", "GET today", "GET a/{b}", "GET {a}/b"]
    #expect(find("GET", ["today"], in: routes) == "today")
    #expect(find("GET", ["monday"], in: routes) == "{day}")
    #expect(find("GET", ["a", "b"], in: routes) == "a/{b}")
    #expect(find("GET", ["x", "b"], in: routes) == "{a}/b")
    #expect(find("GET", ["x", "y"], in: routes) == "{all...}")
  }

  @Test func `a wrong method is distinguished from a wrong path, and GET answers HEAD`() {
    let routes = ["GET day", "POST day", "PUT {x}"]
    #expect(find("HEAD", ["day"], in: routes) == "day")
    #expect(find("PUT", ["day"], in: routes) == "{x}")
    #expect(find("DELETE", ["day"], in: routes) == "GET,HEAD,POST,PUT")
    #expect(find("GET", ["other"], in: routes) == "PUT")
    #expect(find("GET", [], in: routes) == "none")
  }

  // MARK: The manifest

  private func read(_ routes: String) throws -> (Manifest?, [String]) {
    let folder = try TestFolder()
    try folder.write(
      "module.json", #"{"name":"m","version":"1.0.0","command":["x"],"routes":\#(routes)}"#)
    let (manifest, problems) = Manifest.read(directory: folder.path, named: "m")
    return (manifest, problems.map(\.description))
  }

  @Test func `routes are contributions with a method, a path and a scope`() throws {
    let (manifest, problems) = try read(
      #"{"a":{"path":"summary/{day}","title":"Summary"},"b":{"path":"orders","method":"POST"},"#
        + #""c":{"path":"orders","method":"DELETE","scope":"administer","input":{"type":"object"}}}"#
    )
    #expect(problems == [])
    let routes = manifest?.contributions.compactMap(\.route) ?? []
    #expect(routes.map(\.method) == ["GET", "POST", "DELETE"])
    #expect(routes.map(\.scope) == ["read", "execute", "administer"])
    #expect(manifest?.contributions.map(\.kind) == [.route, .route, .route])
    #expect(manifest?.contributions.map(\.title) == ["Summary", "b", "c"])
  }

  @Test(arguments: [
    (#"{"a":{}}"#, "missing key \"path\""),
    (#"{"a":{"path":"x","method":"get"}}"#, "GET"),
    (#"{"a":{"path":"x","scope":"all"}}"#, "scope"),
    (#"{"a":{"path":"/x"}}"#, "routes.a.path: a path has no slash at either end"),
    (#"{"a":{"path":"x/{y}"},"b":{"path":"x/{z}"}}"#, "is what \"a\" answers already"),
    (#"{"a":{"path":"x","input":{"type":"nonsense"}}}"#, "isn't a valid JSON Schema"),
  ])
  func `a route that can't be served is refused at its place`(
    _ routes: String, _ words: String
  ) throws {
    let (manifest, problems) = try read(routes)
    #expect(manifest == nil)
    #expect(problems.contains { $0.contains(words) }, "\(problems)")
  }
}
