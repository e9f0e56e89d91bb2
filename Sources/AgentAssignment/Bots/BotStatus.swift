/// How a bot stands, as it is shown.
public enum BotStatus: String, Sendable, Hashable, CaseIterable {
  /// It takes tasks.
  case online
  /// It works, and has no room for more, or says so.
  case busy
  /// It ends what it has and takes nothing new.
  case draining
  /// It isn't there: it said so, or its heartbeats stopped.
  case offline
  /// Something is wrong with it; somebody has to look.
  case error

  /// Whether what it had is to be given to others when it comes to this.
  var losesTasks: Bool { self == .offline || self == .error }
}
