internal import AgentJSON
internal import AgentRuntime
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
internal import ServiceLifecycle

/// The log: what was written last, and what is written from now on, as JSON lines.
struct LogRoutes {
  let host: AgentHost

  func add(to routes: RouterGroup<BasicRequestContext>) {
    let host = host
    routes.get("logs") { request, _ in
      let process = request.query("process")
      if let process, process != LogRecord.host { _ = try await host.process(process) }
      let (records, source) = AsyncStream.makeStream(
        of: LogRecord.self, bufferingPolicy: .bufferingNewest(1000))
      let number = host.log.follow { record in
        if process == nil || record.source == process { source.yield(record) }
      }
      source.onTermination = { _ in host.log.unfollow(number) }
      return Response(
        status: .ok, headers: [.contentType: "application/x-ndjson"],
        body: ResponseBody { writer in
          // Ends with its client, which nothing else would tell while nothing is logged, and with
          // the host, which waits for every connection.
          try await request.body.consumeWithInboundCloseHandler { _ in
            // The first line tells the client that from here on nothing is missed.
            try await writer.write(ByteBuffer(string: "\n"))
            for await record in records.cancelOnGracefulShutdown() {
              try await writer.write(ByteBuffer(string: record.json.text() + "\n"))
            }
            try await writer.finish(nil)
          } onInboundClosed: {
            source.finish()
          }
        })
    }
  }
}
