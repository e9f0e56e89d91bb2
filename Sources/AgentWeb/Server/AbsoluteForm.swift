internal import NIOCore
internal import NIOHTTP1

/// Keeps the host name of a target such as `GET http://NAME/path`, which is lost when the target
/// becomes a path. A name that differs from the `Host` header becomes a second header.
final class AbsoluteForm: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data), let checked = Self.checked(head) else {
      return context.fireChannelRead(data)
    }
    context.fireChannelRead(wrapInboundOut(.head(checked)))
  }

  /// The head with a second header; nil where none is needed.
  static func checked(_ head: HTTPRequestHead) -> HTTPRequestHead? {
    // The usual form costs a look at one byte.
    guard head.uri.utf8.first != UInt8(ascii: "/"), let slashes = head.uri.firstRange(of: "://")
    else { return nil }
    let written = head.uri[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let named = head.headers.first(name: "host")
    let authority = Authority(parsing: String(written))
    if authority != nil, authority == named.flatMap(Authority.init(parsing:)) { return nil }
    var head = head
    let other = written.isEmpty ? "-" : String(written)
    // Without one the first would be taken for the header that is missing.
    if named == nil { head.headers.add(name: "host", value: other) }
    head.headers.add(name: "host", value: other)
    return head
  }
}
