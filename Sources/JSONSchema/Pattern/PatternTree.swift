/// A parsed pattern. Groups leave no trace: only whether a text matches is ever asked.
indirect enum PatternTree: Sendable {
  case scalars(ScalarSet)
  case textStart
  case textEnd
  case wordBoundary(negated: Bool)
  case sequence([PatternTree])
  case choice([PatternTree])
  case repeated(PatternTree, least: Int, most: Int?)
}
