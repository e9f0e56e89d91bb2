internal import CAgentModule

/// Lends bytes to a C function for the length of the call.
func lending<R>(_ bytes: [UInt8], _ body: (agent_bytes) -> R) -> R {
  bytes.withUnsafeBufferPointer { body(agent_bytes(ptr: $0.baseAddress, len: $0.count)) }
}

/// Lends a text to a C function for the length of the call.
func lending<R>(_ text: String, _ body: (agent_bytes) -> R) -> R {
  var text = text
  return text.withUTF8 { body(agent_bytes(ptr: $0.baseAddress, len: $0.count)) }
}

/// Copies borrowed bytes.
func copied(_ bytes: agent_bytes) -> [UInt8] {
  guard let start = bytes.ptr, bytes.len > 0 else { return [] }
  return Array(UnsafeBufferPointer(start: start, count: bytes.len))
}

/// Copies a borrowed text; invalid UTF-8 is replaced.
func copiedText(_ bytes: agent_bytes) -> String {
  String(decoding: UnsafeRawBufferPointer(start: bytes.ptr, count: bytes.len), as: UTF8.self)
}

extension ModuleError {
  /// The error for a status other than AGENT_OK.
  init(status: agent_status, message: String) {
    let code = Code(rawValue: status) ?? .failed
    self.init(code, message.isEmpty ? "The host gave no reason (status \(status))." : message)
  }

  /// Converts any error to one that can cross the interface.
  init(crossing error: any Error) {
    switch error {
    case let error as ModuleError: self = error
    case is CancellationError: self.init(.cancelled, "It was cancelled.")
    default: self.init(.failed, "\(error)")
    }
  }
}
