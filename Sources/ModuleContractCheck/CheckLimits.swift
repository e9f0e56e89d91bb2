/// The time limits of a check, and the number of calls.
struct CheckLimits: Sendable {
  /// The limit from the start of the process to HELLO, and again for LOADED.
  var start = Duration.seconds(15)
  /// The limit for READY, for the answer to START, and for the end of a call.
  var answer = Duration.seconds(10)
  /// The limit for the answer to PING.
  var ping = Duration.seconds(1)
  /// The deadline of STOP.
  var stop = Duration.seconds(5)
  /// The limit for the end of the process after its socket is closed.
  var hangUp = Duration.seconds(5)
  /// The number of calls of a leak test.
  var calls = 200
  /// The limit for all calls of a leak test together.
  var callsTogether = Duration.seconds(15)
}
