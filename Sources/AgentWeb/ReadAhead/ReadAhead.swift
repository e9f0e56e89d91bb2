internal import NIOCore

/// What one connection has sent and nobody has taken yet, as a state machine without input and
/// output.
///
/// The socket is read only while little is held. The decoder gets a piece when the host asks for
/// one, and no more of a piece than one request. A client that sends ahead waits in its own machine.
struct ReadAhead {
  /// The next act of the connection.
  enum Action: Equatable {
    /// Gives these bytes to the decoder.
    case pass(ByteBuffer)
    /// Says that a piece is complete, and asks whether the host wants more.
    case complete
    /// Reads from the socket, if the budget of all connections allows it.
    case read
    /// Says that the client has closed its side. All that it has sent was passed.
    case endInput
    case wait
  }

  /// How the bytes that follow belong to requests.
  private enum Expectation: Equatable {
    case head
    /// A body of which this number of bytes is missing.
    case counted(Int)
    /// A body without a declared length.
    case chunked
  }

  private enum Input: Equatable {
    case open
    /// The client has closed its side.
    case closing
    /// That was said.
    case closed
  }

  /// The size of a piece, and of a read from the socket, in bytes.
  static let pieceSize = 16 << 10
  /// The socket is also read while a request that holds less is being answered, in bytes. Otherwise
  /// the end of a TLS connection would be noticed late.
  static let smallRequest = pieceSize / 4

  private var held = ByteBuffer()
  private var boundary = RequestBoundary()
  private var expectation = Expectation.head
  private var input = Input.open
  /// The bytes that were passed on and aren't taken.
  private var passed = 0
  /// Whether the decoder has made something of the passed bytes.
  private var hasPart = false
  private var isWanted = false
  private var isReading = false
  /// The bytes that the current piece may still have. Nil means that no piece is being passed.
  private var room: Int?

  /// What the connection holds, in bytes.
  var bytes: Int { held.readableBytes + passed }

  /// Whether all of the client's bytes were passed on after it has closed its side.
  var isDrained: Bool { input == .closed }

  // MARK: What happens

  /// Takes bytes from the socket.
  mutating func received(_ bytes: ByteBuffer) {
    // A few bytes would keep the whole buffer that they were read into.
    let isSparse = bytes.readableBytes < bytes.storageCapacity / 4
    guard held.readableBytes == 0, !isSparse else {
      held.discardReadBytes()
      held.writeImmutableBuffer(bytes)
      return
    }
    held = bytes
  }

  /// A read from the socket has ended.
  mutating func readCompleted() { isReading = false }

  /// A read that ``next()`` has ordered must wait for the budget.
  mutating func readPostponed() { isReading = false }

  /// The host has taken all that was passed, and wants more.
  mutating func wanted() {
    isWanted = true
    // The begin of a head stays in the decoder until its end has come.
    guard hasPart else { return }
    (passed, hasPart) = (0, false)
  }

  /// The decoder has made the head of a request.
  /// - Parameters:
  ///   - length: the declared length of its body, in bytes.
  ///   - isChunked: whether its body says itself where it ends.
  mutating func head(length: Int?, isChunked: Bool) {
    hasPart = true
    boundary = RequestBoundary()
    // A request that has neither has no body, and ends at once.
    expectation = isChunked ? .chunked : .counted(max(0, length ?? 0))
  }

  /// The decoder has made a part of a body.
  mutating func body(_ count: Int) {
    hasPart = true
    if case .counted(let left) = expectation { expectation = .counted(max(0, left - count)) }
  }

  /// The decoder has made the end of a request. What follows waits until the host wants it.
  mutating func requestEnded() {
    hasPart = true
    (boundary, expectation) = (RequestBoundary(), .head)
    if room != nil { room = 0 }
  }

  /// The client has closed its side.
  mutating func inputClosed() {
    if input == .open { input = .closing }
  }

  // MARK: What to do

  /// Returns the next act. The caller does it and asks again until it has to wait.
  mutating func next() -> Action {
    if let room {
      guard room > 0, held.readableBytes > 0, let bytes = cut(room) else {
        self.room = nil
        return .complete
      }
      self.room = room - bytes.readableBytes
      passed += bytes.readableBytes
      return .pass(bytes)
    }
    guard held.readableBytes == 0 else {
      guard isWanted else { return .wait }
      (isWanted, room) = (false, Self.pieceSize)
      return next()
    }
    return nextOfEmpty()
  }

  private mutating func nextOfEmpty() -> Action {
    switch input {
    case .open:
      guard !isReading, isWanted || passed < Self.smallRequest else { return .wait }
      isReading = true
      return .read
    case .closing where isWanted:
      input = .closed
      return .endInput
    case .closing, .closed: return .wait
    }
  }

  private mutating func cut(_ room: Int) -> ByteBuffer? {
    let count = held.withUnsafeReadableBytes { bytes in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(room))
      switch expectation {
      case .head: return boundary.endOfHead(in: bytes)
      case .chunked: return boundary.endOfChunks(in: bytes)
      // Without a missing byte the decoder ends the request itself, and this isn't reached.
      case .counted(let left): return min(max(1, left), bytes.count)
      }
    }
    return held.readSlice(length: count)
  }
}
