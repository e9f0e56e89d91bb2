internal import AgentJSON
internal import AgentRuntime
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// The log: what was written last, and what is written from now on, as JSON lines.
struct LogRoutes {
  let host: AgentHost

  func add(to routes: RouterGroup<BasicRequestContext>) {
    let host = host
    routes.get("logs") { request, _ in
      let process = request.query("process")
      if let process, process != LogRecord.host { _ = try await host.process(process) }
      let records = AsyncStream<LogRecord>(bufferingPolicy: .bufferingNewest(1000)) { stream in
        let number = host.log.follow { record in
          if process == nil || record.source == process { stream.yield(record) }
        }
        stream.onTermination = { _ in host.log.unfollow(number) }
      }
      return Response(
        status: .ok, headers: [.contentType: "application/x-ndjson"],
        body: ResponseBody { writer in
          // The first line tells the client that from here on nothing is missed.
          try await writer.write(ByteBuffer(string: "\n"))
          for await record in records {
            try await writer.write(ByteBuffer(string: record.json.text() + "\n"))
          }
          try await writer.finish(nil)
        })
    }
  }
}
