internal import AgentJSON
internal import AgentRuntime
internal import HTTPTypes
internal import Hummingbird

/// Turns what a route throws into the API's one shape of errors.
struct ErrorReplies<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HostError {
      return Response(error)
    } catch let error as HTTPError {
      let message =
        error.status == .notFound
        ? "There is nothing at \(request.uri.path)." : error.body ?? "\(error.status)"
      return Response(
        [
          "error": [
            "code": .string(error.status == .notFound ? "not_found" : "invalid"),
            "message": .string(message),
          ]
        ], status: error.status)
    } catch {
      return Response(HostError(.failed, "\(error)"))
    }
  }
}
