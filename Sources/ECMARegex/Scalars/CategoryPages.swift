internal import Synchronization

/// The general categories of all scalars, by pages of 256 that are filled when a text first has a
/// scalar of theirs. The standard library's own answer takes ten times as long.
struct CategoryPages: @unchecked Sendable {
  static let shared = CategoryPages()

  private typealias Page = UnsafeMutablePointer<UInt8>
  private typealias Slot = Atomic<UnsafeMutablePointer<UInt8>?>

  private static let size = 256

  /// Pages are published once and never freed.
  private let slots: UnsafeMutablePointer<Slot>

  private init() {
    let count = 0x110000 / Self.size
    slots = .allocate(capacity: count)
    for index in 0..<count { (slots + index).initialize(to: Slot(nil)) }
  }

  /// The category's number in the order of `CategorySet`.
  func category(of scalar: Unicode.Scalar) -> UInt8 {
    let value = Int(scalar.value)
    let slot = slots + value / Self.size
    let page = slot.pointee.load(ordering: .acquiring) ?? Self.fill(slot, value / Self.size)
    return page[value % Self.size]
  }

  private static func fill(_ slot: UnsafeMutablePointer<Slot>, _ number: Int) -> Page {
    let page = Page.allocate(capacity: size)
    for offset in 0..<size {
      // Surrogates are no scalars, and nobody asks for them.
      let scalar = Unicode.Scalar(UInt32(number * size + offset))
      page[offset] = scalar.map { $0.properties.generalCategory.place } ?? 0
    }
    let (exchanged, original) = slot.pointee.compareExchange(
      expected: nil, desired: page, ordering: .acquiringAndReleasing)
    guard !exchanged, let original else { return page }
    // Another thread was faster.
    page.deallocate()
    return original
  }
}
