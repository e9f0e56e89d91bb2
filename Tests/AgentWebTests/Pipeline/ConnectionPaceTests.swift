import AgentSettings
import NIOCore
import Testing

@testable import AgentWeb

private func at(_ seconds: Double) -> NIODeadline {
  .uptimeNanoseconds(UInt64(seconds * 1_000_000_000))
}

private func pace() -> ConnectionPace {
  var limits = HTTPSettings().limits
  limits.idleSeconds = 10
  limits.streamSeconds = 60
  limits.heartbeatSeconds = 5
  var pace = ConnectionPace(limits)
  pace.opened(now: at(100))
  return pace
}

struct ConnectionPaceTests {
  @Test func `a connection on which no request arrives is closed`() {
    var pace = pace()
    #expect(pace.next == at(110))
    #expect(pace.look(now: at(109), isWritable: true) == .wait)
    #expect(pace.next == at(110))
    #expect(pace.look(now: at(110), isWritable: true) == .close)
  }

  @Test func `a body that drips is disconnected, and one that flows isn't`() {
    for (bytes, action) in [(4_999, ConnectionPace.Action.close), (5_000, .wait)] {
      var pace = pace()
      pace.head(now: at(101))
      pace.body(bytes)
      #expect(pace.look(now: at(105), isWritable: true) == .wait)
      #expect(pace.look(now: at(111), isWritable: true) == action)
    }
  }

  @Test func `lines may come slowly, and work may take its time`() {
    var pace = pace()
    pace.head(now: at(101))
    pace.receivesLines()
    #expect(pace.look(now: at(5_000), isWritable: true) == .wait)
    pace.requestEnded(now: at(5_001))
    #expect(pace.look(now: at(9_000), isWritable: true) == .wait)
  }

  @Test func `the next request is waited for after an answer`() {
    var pace = pace()
    pace.head(now: at(101))
    pace.requestEnded(now: at(101))
    pace.answering(isStream: false, now: at(130))
    pace.answered(now: at(130))
    #expect(pace.look(now: at(139), isWritable: true) == .wait)
    #expect(pace.look(now: at(140), isWritable: true) == .close)
  }

  @Test func `a refused request that is still being sent doesn't hold the connection`() {
    var pace = pace()
    pace.head(now: at(101))
    pace.receivesLines()
    pace.answering(isStream: false, now: at(101))
    pace.answered(now: at(101))
    #expect(pace.look(now: at(111), isWritable: true) == .close)
  }

  @Test func `a stream sends heartbeats and ends after its time`() {
    var pace = pace()
    pace.head(now: at(101))
    pace.requestEnded(now: at(101))
    pace.answering(isStream: true, now: at(101))
    #expect(pace.next == at(106))
    #expect(pace.look(now: at(106), isWritable: true) == .heartbeat)
    pace.wrote(now: at(108))
    #expect(pace.look(now: at(111), isWritable: true) == .wait)
    #expect(pace.next == at(113))
    #expect(pace.look(now: at(113), isWritable: true) == .heartbeat)
    #expect(pace.look(now: at(161), isWritable: true) == .endStream)
  }

  @Test func `a client that doesn't read the response is disconnected`() {
    var pace = pace()
    pace.head(now: at(101))
    pace.requestEnded(now: at(101))
    pace.answering(isStream: true, now: at(101))
    pace.writable(false, now: at(102))
    #expect(pace.look(now: at(110), isWritable: false) == .wait)
    #expect(pace.look(now: at(132), isWritable: false) == .close)
  }

  @Test func `a body that wasn't declared as lines is no stream`() {
    var pace = pace()
    pace.head(now: at(101))
    #expect(pace.look(now: at(111), isWritable: true) == .close)
  }

  @Test func `an open stream with a request behind it stays a stream`() {
    var pace = pace()
    pace.head(now: at(101))
    pace.requestEnded(now: at(101))
    pace.answering(isStream: true, now: at(101))
    pace.head(now: at(102))
    pace.body(1)
    #expect(pace.look(now: at(106), isWritable: true) == .heartbeat)
    pace.requestEnded(now: at(107))
    #expect(pace.look(now: at(161), isWritable: true) == .endStream)
  }

  @Test func `a request behind a long one is timed from its turn`() {
    var pace = pace()
    pace.head(now: at(101))
    pace.requestEnded(now: at(101))
    pace.head(now: at(102))
    #expect(pace.look(now: at(130), isWritable: true) == .wait)
    pace.answering(isStream: false, now: at(131))
    pace.answered(now: at(131))
    #expect(pace.look(now: at(140), isWritable: true) == .wait)
    #expect(pace.look(now: at(141), isWritable: true) == .close)
  }

  @Test func `a complete request behind another is processed next`() {
    var pace = pace()
    pace.head(now: at(101))
    pace.requestEnded(now: at(101))
    pace.head(now: at(101))
    pace.requestEnded(now: at(101))
    pace.answered(now: at(102))
    #expect(pace.look(now: at(130), isWritable: true) == .wait)
    pace.answered(now: at(131))
    #expect(pace.look(now: at(141), isWritable: true) == .close)
  }
}
