internal import Synchronization

/// The general categories of all scalars, in pages of 256. A page is filled at the first use of one
/// of its scalars. The standard library takes ten times as long.
struct CategoryPages: @unchecked Sendable {
  static let shared = CategoryPages()

  private typealias Page = UnsafeMutablePointer<UInt8>
  private typealias Slot = Atomic<UnsafeMutablePointer<UInt8>?>

  private static let size = 256

  /// A page is published once and never freed.
  private let slots: UnsafeMutablePointer<Slot>

  private init() {
    let count = 0x110000 / Self.size
    slots = .allocate(capacity: count)
    for index in 0..<count { (slots + index).initialize(to: Slot(nil)) }
  }

  /// Returns the number of the category in the order of `CategorySet`.
  func category(of scalar: Unicode.Scalar) -> UInt8 {
    let value = Int(scalar.value)
    let slot = slots + value / Self.size
    let page = slot.pointee.load(ordering: .acquiring) ?? Self.fill(slot, value / Self.size)
    return page[value % Self.size]
  }

  private static func fill(_ slot: UnsafeMutablePointer<Slot>, _ number: Int) -> Page {
    let page = Page.allocate(capacity: size)
    for offset in 0..<size {
      // Surrogates aren't scalars, so their entries are never read.
      let scalar = Unicode.Scalar(UInt32(number * size + offset))
      page[offset] = scalar.map { $0.properties.generalCategory.place } ?? 0
    }
    let (exchanged, original) = slot.pointee.compareExchange(
      expected: nil, desired: page, ordering: .acquiringAndReleasing)
    guard !exchanged, let original else { return page }
    // Another thread has published the page meanwhile.
    page.deallocate()
    return original
  }
}
