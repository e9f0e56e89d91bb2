import AgentWorkers
import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing

@testable import AgentWeb

/// The handlers of the port's connections: the share of a client, and the host name of the target.
@Suite struct ConnectionHandlerTests {
  private func connect(_ shares: ConnectionShares, from address: String) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel(
      handlers: [HTTP1ToHTTPServerCodec(secure: false), ConnectionShare(shares)])
    let peer = try SocketAddress(ipAddress: address, port: 40_000)
    // A connection that a server has accepted knows its peer before it is active.
    channel.remoteAddress = peer
    try channel.connect(to: peer).wait()
    return channel
  }

  @Test func `a connection above the share is closed, and one that ends makes room`() throws {
    let shares = ConnectionShares(most: 1, exempt: [])
    let first = try connect(shares, from: "192.0.2.1")
    let second = try connect(shares, from: "192.0.2.1")
    let other = try connect(shares, from: "192.0.2.2")
    #expect(first.isActive && !second.isActive && other.isActive)
    // The refused connection isn't part of the share, so its end changes nothing.
    _ = try second.finish(acceptAlreadyClosed: true)
    let third = try connect(shares, from: "192.0.2.1")
    #expect(!third.isActive)
    _ = try first.finish(acceptAlreadyClosed: true)
    let fourth = try connect(shares, from: "192.0.2.1")
    let fifth = try connect(shares, from: "192.0.2.1")
    #expect(fourth.isActive && !fifth.isActive)
    for channel in [other, third, fourth, fifth] {
      _ = try channel.finish(acceptAlreadyClosed: true)
    }
  }

  /// Returns the head of a request as the request pipeline gets it.
  private func received(_ uri: String, host: String) throws -> HTTPRequest {
    let channel = try connect(ConnectionShares(most: 1, exempt: []), from: "192.0.2.1")
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: uri, headers: ["Host": host])
    try channel.writeInbound(HTTPServerRequestPart.head(head))
    let part = try channel.readInbound(as: HTTPRequestPart.self)
    _ = try channel.finish(acceptAlreadyClosed: true)
    guard case .head(let request) = try #require(part) else { throw CancellationError() }
    return request
  }

  private func authority(_ uri: String, host: String) throws -> String? {
    let head = try received(uri, host: host)
    return try RequestTarget.authority(
      of: Request(head: head, body: RequestBody(buffer: ByteBuffer())))
  }

  @Test func `a target that names another host than the Host field is refused`() throws {
    #expect(try authority("/a", host: "localhost") == "localhost")
    #expect(try authority("http://localhost/a", host: "localhost") == "localhost")
    #expect(throws: HostError.self) {
      try authority("http://evil.example/a", host: "localhost")
    }
  }
}
