import CAgentModule

/// Passes bytes to C for the duration of a call.
func withBytes<Result>(_ bytes: [UInt8], _ body: (agent_bytes) -> Result) -> Result {
  bytes.withUnsafeBufferPointer { body(agent_bytes(ptr: $0.baseAddress, len: $0.count)) }
}

extension agent_bytes {
  /// A copy of the bytes.
  var copy: [UInt8] {
    Array(UnsafeBufferPointer(start: ptr, count: ptr == nil ? 0 : len))
  }

  /// A copy of the bytes as text. Invalid UTF-8 becomes U+FFFD.
  var text: String {
    String(decoding: UnsafeBufferPointer(start: ptr, count: ptr == nil ? 0 : len), as: UTF8.self)
  }
}
