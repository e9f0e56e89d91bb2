import AgentEvents
import AgentSettings
import NIOCore
import NIOEmbedded
import Testing

@testable import AgentWeb

@Suite struct EventListenerStateTests {
  private let connection: EventConnection

  init() throws {
    let address = try #require(ListenAddress(parsing: "0.0.0.0:9000"))
    connection = EventConnection(
      settings: EventPortSettings(listen: address), bus: EventBus(now: { 1 }))
  }

  private func admit(
    _ address: String, to state: inout EventListenerState, perAddress: Int?
  ) throws -> EventListenerState.Admission {
    let channel = EmbeddedChannel()
    channel.remoteAddress = try SocketAddress(ipAddress: address, port: 40_000)
    return state.admit(channel, connection, limits: .init(all: 4, perAddress: perAddress))
  }

  @Test func `one address can't take the connections of others`() throws {
    var state = EventListenerState()
    #expect(try admit("192.0.2.1", to: &state, perAddress: 2) == .admitted(1))
    #expect(try admit("192.0.2.1", to: &state, perAddress: 2) == .admitted(2))
    guard case .refused(let reason) = try admit("192.0.2.1", to: &state, perAddress: 2) else {
      return #expect(Bool(false), "a third connection was accepted")
    }
    #expect(reason.contains("Your address has 2 connections"))
    #expect(try admit("192.0.2.2", to: &state, perAddress: 2) == .admitted(3))
    state.remove(1)
    #expect(try admit("192.0.2.1", to: &state, perAddress: 2) == .admitted(4))
  }

  @Test func `addresses of one IPv6 customer count as one`() throws {
    var state = EventListenerState()
    #expect(try admit("2001:db8::1", to: &state, perAddress: 1) == .admitted(1))
    guard case .refused = try admit("2001:db8::2", to: &state, perAddress: 1) else {
      return #expect(Bool(false), "a second connection was accepted")
    }
    #expect(try admit("2001:db8:1::1", to: &state, perAddress: 1) == .admitted(2))
  }

  @Test func `programs of this machine share all connections`() throws {
    var state = EventListenerState()
    for number in 1...4 {
      #expect(try admit("127.0.0.1", to: &state, perAddress: nil) == .admitted(number))
    }
    guard case .refused(let reason) = try admit("127.0.0.1", to: &state, perAddress: nil) else {
      return #expect(Bool(false), "a fifth connection was accepted")
    }
    #expect(reason.contains("at most 4"))
  }
}
