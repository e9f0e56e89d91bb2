import AgentWorkerProtocol
import BenchSupport
import CProbes
import Glibc

/// The host's end of one worker, one question at a time and no thread but the caller's.
struct WorkerClient {
  private let pid: Int32
  private let socket: Int32
  private let module: String
  private var decoder = FrameDecoder()
  private var lastID: UInt32 = 0
  private let adapter = "bench_echo"

  /// Starts the worker program in a module's folder.
  init(worker: String, module: String) throws(BenchError) {
    var socket: Int32 = -1
    pid = worker_start(worker, module, &socket)
    guard pid > 0 else { throw BenchError("\(worker) can't be started: errno \(-pid).") }
    self.socket = socket
    self.module = module
  }

  /// Goes through the handshake until the adapter is READY.
  mutating func prepare(library: String) throws(BenchError) {
    _ = try receive(.hello, id: 0)
    let name = ContributionName(.logicAdapter, adapter)
    let load = Load(
      module: "bench_swift", version: "1.0.0", directory: module, library: library,
      hostVersion: "1.0.0")
    _ = try ask(.load, load.json, answer: .loaded)
    let configure = Configure(
      contribution: name, process: "module:bench_swift", settings: Array("{}".utf8), extensions: [])
    _ = try ask(.configure, configure.json, answer: .ready)
    _ = try ask(.start, name.json, answer: .reply)
  }

  /// Nanoseconds for one call, the mean of `count`.
  mutating func time(_ count: Int) throws(BenchError) -> Double {
    let invoke = Invoke(
      contribution: ContributionName(.logicAdapter, adapter),
      input: Array(#"{"text":"hello"}"#.utf8))
    let begin = probe_now()
    for _ in 0..<count { _ = try ask(.invoke, invoke.json, answer: .reply) }
    return Double(probe_now() - begin) / Double(count)
  }

  /// Puts both ends on one core.
  func pin() throws(BenchError) {
    guard probe_pin(pid) >= 0, probe_pin(getpid()) >= 0 else {
      throw BenchError("The worker can't be put on one core.")
    }
  }

  /// Ends the worker.
  func close() {
    probe_unpin()
    Glibc.close(socket)
    var cpu: Int64 = 0
    _ = process_signal(pid, SIGKILL)
    _ = process_wait(pid, &cpu)
  }

  private mutating func ask(
    _ op: Op, _ body: [UInt8], answer: Op
  ) throws(BenchError) -> Frame {
    lastID += 1
    var bytes: [UInt8] = []
    FrameEncoder.append(Frame(op, id: lastID, body: body), to: &bytes)
    let sent = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent == bytes.count else { throw BenchError("The worker takes no more frames.") }
    return try receive(answer, id: lastID)
  }

  private mutating func receive(_ op: Op, id: UInt32) throws(BenchError) -> Frame {
    while true {
      let frame = try next()
      guard frame.id == id, frame.op == op || frame.op == .error else { continue }
      guard frame.op == op else {
        throw BenchError("The worker answered \(String(decoding: frame.body, as: UTF8.self)).")
      }
      return frame
    }
  }

  private mutating func next() throws(BenchError) -> Frame {
    do {
      while true {
        if let frame = try decoder.next() { return frame }
        try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
          let count = recv(socket, buffer.baseAddress, buffer.count, 0)
          guard count > 0 else { throw BenchError("The worker closed its socket.") }
          decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
      }
    } catch let error as BenchError {
      throw error
    } catch {
      throw BenchError("\(error)")
    }
  }
}
