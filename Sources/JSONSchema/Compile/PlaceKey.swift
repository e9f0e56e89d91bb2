/// A part of a place: what holds it, and its key or index there, compared byte by byte.
struct PlaceKey: Hashable {
  let holder: Int
  let token: String

  static func == (left: PlaceKey, right: PlaceKey) -> Bool {
    left.holder == right.holder && left.token.utf8.elementsEqual(right.token.utf8)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(holder)
    token.hashBytes(into: &hasher)
  }
}
