import AgentAssignment
import Testing

struct ReservationTests {
  private let offer = Reservation(bot: "a", at: 100, timeout: 50)

  @Test func `an offer accepted in time starts the task once`() {
    var offer = offer
    #expect(offer.due == 150)
    #expect(offer.accept(by: "a", at: 149) == .start)
    #expect(offer.accept(by: "a", at: 200) == .nothing)
    #expect(offer.advance(to: 1000) == .nothing && offer.due == nil)
    #expect(offer.reject(by: "a", at: 200) == .refuse(.answered))
    #expect(offer.phase == .accepted(at: 149))
  }

  @Test func `a rejected offer goes to others`() {
    var offer = offer
    #expect(offer.reject(by: "a", reason: "no", at: 120) == .offerOthers(without: "a"))
    #expect(offer.reject(by: "a", at: 121) == .nothing)
    #expect(offer.accept(by: "a", at: 121) == .refuse(.answered))
  }

  @Test func `an offer answered after its time-out goes to others`() {
    var late = offer
    #expect(late.accept(by: "a", at: 150) == .offerOthers(without: "a"))
    #expect(late.accept(by: "a", at: 150) == .refuse(.timedOut))
    var watched = offer
    #expect(watched.advance(to: 149) == .nothing)
    #expect(watched.advance(to: 150) == .offerOthers(without: "a"))
    #expect(watched.advance(to: 151) == .nothing)
    #expect(watched.phase == .timedOut(at: 150))
  }

  @Test func `other bots can't answer an offer, and a withdrawn offer can't be accepted`() {
    var offer = offer
    #expect(offer.accept(by: "b", at: 120) == .refuse(.otherBot))
    #expect(offer.reject(by: "b", at: 120) == .refuse(.otherBot))
    #expect(offer.withdraw(at: 121) && !offer.withdraw(at: 122))
    #expect(offer.accept(by: "a", at: 123) == .refuse(.withdrawn))
    #expect(offer.advance(to: 1000) == .nothing)
  }

  @Test func `an offer without a time-out never expires`() {
    var offer = Reservation(bot: "p", at: 0)
    #expect(offer.due == nil && offer.advance(to: .max) == .nothing)
    #expect(offer.accept(by: "p", at: .max) == .start)
    #expect(Reservation(bot: "p", at: .max, timeout: .max).due == .max)
  }
}
