import AgentWorkerProtocol
import Glibc
import Synchronization
import Testing

@testable import AgentWorkers

/// What a socket does with the errors of a send.
@Suite struct WorkerSocketTests {
  /// A socket whose sends fail with these errors, one after the other, and then succeed.
  private func socket(failing errors: [Int32]) -> WorkerSocket {
    let left = Mutex(errors)
    return WorkerSocket(-1) { _, bytes, _ in
      left.withLock { $0.isEmpty ? (bytes.count, 0) : (-1, $0.removeFirst()) }
    }
  }

  @Test(arguments: [ETOOMANYREFS, ENOBUFS, ENOMEM])
  func `a lack of the system holds the bytes until it has passed`(error: Int32) throws {
    var socket = socket(failing: [error, error])
    try socket.enqueue(Frame(.ping, id: 1))
    for _ in 1...2 {
      try socket.flush()
      #expect(socket.isHeld)
      #expect(!socket.wantsToWrite)
      #expect(socket.outboundBytes > 0)
    }
    try socket.flush()
    #expect(!socket.isHeld)
    #expect(socket.outboundBytes == 0)
  }

  @Test func `a full socket is reported by the loop, and isn't held`() throws {
    var socket = socket(failing: [EAGAIN])
    try socket.send(Frame(.ping, id: 1))
    #expect(!socket.isHeld)
    #expect(socket.wantsToWrite)
  }

  @Test func `the end of the worker isn't a lack`() {
    var socket = socket(failing: [EPIPE])
    #expect(throws: WorkerSocket.Failure.closed) { try socket.send(Frame(.ping, id: 1)) }
  }

  @Test func `a socket without a descriptor can't be sent anything`() {
    var socket = socket(failing: [EBADF])
    #expect(throws: WorkerSocket.Failure.self) { try socket.send(Frame(.ping, id: 1)) }
  }
}
