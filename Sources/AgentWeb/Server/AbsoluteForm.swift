internal import NIOCore
internal import NIOHTTP1

/// Keeps the host name of a target such as `GET http://NAME/path`. The name is lost when the target
/// becomes a path. If it differs from the `Host` header, it becomes a second header.
final class AbsoluteForm: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data), let checked = Self.checked(head) else {
      return context.fireChannelRead(data)
    }
    context.fireChannelRead(wrapInboundOut(.head(checked)))
  }

  /// Returns the head with a second header. Nil means that none is needed.
  static func checked(_ head: HTTPRequestHead) -> HTTPRequestHead? {
    // The usual form needs only a test of one byte.
    guard head.uri.utf8.first != UInt8(ascii: "/"), let slashes = head.uri.firstRange(of: "://")
    else { return nil }
    let written = head.uri[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let named = head.headers.first(name: "host")
    let authority = Authority(parsing: String(written))
    if authority != nil, authority == named.flatMap(Authority.init(parsing:)) { return nil }
    var head = head
    let other = written.isEmpty ? "-" : String(written)
    // Without a first header, the server would use the second one in its place.
    if named == nil { head.headers.add(name: "host", value: other) }
    head.headers.add(name: "host", value: other)
    return head
  }
}
