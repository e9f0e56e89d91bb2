internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// A connection of the API's port: HTTP/1.1, of which nothing is read that the host doesn't want.
///
/// Rationale: the server's own channel reads up to ten parts ahead, of 64 KiB each, and any number
/// of small requests in them.
struct APIChannel: ServerChildChannel, HTTPChannelHandler {
  typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  /// The bounds of a request's head. All lines together have 32 KiB.
  private static let headLimits = {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 16 << 10
    limits.maxHeaderListSize = 32 << 10
    limits.maxHeaderFieldCount = 100
    return limits
  }()

  let responder: HTTPChannelHandler.Responder
  let budget: ReadAheadBudget
  /// Makes the handlers between the decoder and the request pipeline.
  let handlers: @Sendable () -> [any RemovableChannelHandler]

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      // A read is one piece at most, and small for a client that sends little.
      try channel.syncOptions?.setOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(
          minimum: 1 << 10, initial: 2 << 10, maximum: ReadAhead.pieceSize))
      try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
      // With it, TLS wouldn't say that a read brought no whole record, and none would follow.
      try channel.syncOptions?.setOption(.autoRead, value: false)
      let pipeline = channel.pipeline.syncOperations
      let reader = ReadAheadHandler(budget)
      try pipeline.addHandler(reader)
      try pipeline.configureHTTPServerPipeline(
        withPipeliningAssistance: false, withErrorHandling: false,
        withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
        withDecoderLimitConfiguration: Self.headLimits)
      try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
      try pipeline.addHandler(RequestPartCollector(reader))
      try pipeline.addHandlers(handlers())
      try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
      return try Value(
        wrappingChannelSynchronously: channel,
        configuration: .init(
          // The next piece is passed when the one before is taken.
          backPressureStrategy: .init(lowWatermark: 1, highWatermark: 1),
          isOutboundHalfClosureEnabled: true))
    }
  }

  func handle(value: Value, logger: Logger) async {
    await handleHTTP(asyncChannel: value, logger: logger)
  }
}
