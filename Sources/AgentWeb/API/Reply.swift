internal import AgentJSON
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Response {
  /// Makes a JSON answer.
  init(_ value: JSONValue, status: HTTPResponse.Status = .ok) {
    self.init(bytes: value.bytes(), as: MediaType.json.rawValue, status: status)
  }

  /// Makes an answer of complete bytes.
  init(bytes: [UInt8], as contentType: String, status: HTTPResponse.Status = .ok) {
    self.init(
      status: status, headers: [.contentType: contentType],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
