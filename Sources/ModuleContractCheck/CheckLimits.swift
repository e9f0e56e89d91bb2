/// How long a module under test may take, and how often it is called.
struct CheckLimits: Sendable {
  /// From the start of the process to HELLO, and for LOADED.
  var start = Duration.seconds(15)
  /// For READY, for the answer to START, and for the end of a call.
  var answer = Duration.seconds(10)
  /// For the answer to a PING.
  var ping = Duration.seconds(1)
  /// STOP's deadline.
  var stop = Duration.seconds(5)
  /// For the end of the process once its socket has ended.
  var hangUp = Duration.seconds(5)
  /// Calls that are counted on to show a leak.
  var calls = 200
  /// The time that these may take together.
  var callsTogether = Duration.seconds(15)
}
