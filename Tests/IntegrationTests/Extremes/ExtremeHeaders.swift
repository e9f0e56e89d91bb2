/// Values for every header that the host reads.
enum ExtremeHeaders {
  /// Operations that get all of them: one that creates, one that streams, one with versions, and one
  /// that only reads.
  static let operations: Set<String> = ["create_task", "stream_events", "set_state", "get_status"]

  private static let names = [
    "Idempotency-Key", "X-Request-ID", "Last-Event-ID", "If-Match", "If-None-Match", "Accept",
    "Accept-Encoding", "Content-Type", "Content-Encoding", "Authorization", "Cookie", "Origin",
    "traceparent", "tracestate", "X-Forwarded-For", "Range", "Expect", "Upgrade", "Forwarded",
  ]

  private static let words = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "1e308", "NaN", "",
    "a\u{1F}r0/1", "a\u{9B}2Jb", "\u{E4}", "\"", "\"\"", "W/\"1\"", "*",
    "bytes=0-9223372036854775808",
    "Bearer bulkhead_9223372036854775808_x", "Bearer ", "Basic =", "null", "[]", "{\"a\":0}",
    "00-00000000000000000000000000000000-0000000000000000-00", "gzip;q=1e308, *;q=-1",
    "application/json; charset=\"\\\"", "a=\u{7F}; session=", "%00", "..", ", , ,",
    String(repeating: "n", count: 12_000),
  ]

  static let all = names.map { ($0, words) }
}

extension APIOperation {
  /// Whether it gets extremes in a header: it declares the header, or is one of those that stand for
  /// all where every operation reads it.
  func reads(_ header: String) -> Bool {
    header == "Idempotency-Key" ? isRepeatable : ExtremeHeaders.operations.contains(name)
  }
}
