/// What a registry keeps for one combination of labels.
protocol Instrument: AnyObject, Sendable {
  static var kind: MetricKind { get }
  /// `bounds` are a histogram's; the others leave them out.
  init(bounds: [Double])
  var value: MetricValue { get }
}
