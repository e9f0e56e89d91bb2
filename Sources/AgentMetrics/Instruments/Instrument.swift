/// The handle that a registry keeps for one series.
protocol Instrument: AnyObject, Sendable {
  static var kind: MetricKind { get }
  /// - Parameter bounds: the upper bounds of a histogram's ranges. Other kinds ignore them.
  init(bounds: [Double])
  var value: MetricValue { get }
}
