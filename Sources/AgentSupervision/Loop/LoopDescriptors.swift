/// The watched descriptors of a loop, by number. Each registration has a generation. An event of a
/// closed descriptor therefore never reaches the next one with the same number.
struct LoopDescriptors {
  typealias Handler = @Sendable (LoopEvents) -> Void

  private struct Slot {
    var generation: UInt32
    var interest: LoopEvents
    var handler: Handler
  }

  private var slots: [Slot?] = []
  private var generations: UInt32 = 0

  mutating func insert(
    _ descriptor: Int32, for interest: LoopEvents, isUrgent: Bool, handler: @escaping Handler
  ) -> LoopRegistration? {
    guard let index = Int(exactly: descriptor), index >= 0 else { return nil }
    while slots.count <= index { slots.append(nil) }
    generations &+= 1
    slots[index] = Slot(generation: generations, interest: interest, handler: handler)
    return LoopRegistration(
      descriptor: descriptor, generation: generations, isUrgent: isUrgent)
  }

  func handler(of registration: LoopRegistration) -> Handler? {
    slot(registration)?.handler
  }

  /// Returns the former interest. `nil` means that the registration is stale.
  mutating func setInterest(
    _ registration: LoopRegistration, _ interest: LoopEvents
  ) -> LoopEvents? {
    guard let before = slot(registration)?.interest else { return nil }
    slots[Int(registration.descriptor)]?.interest = interest
    return before
  }

  /// Returns the former interest. `nil` means that the registration is stale.
  mutating func remove(_ registration: LoopRegistration) -> LoopEvents? {
    guard let before = slot(registration)?.interest else { return nil }
    slots[Int(registration.descriptor)] = nil
    return before
  }

  private func slot(_ registration: LoopRegistration) -> Slot? {
    let index = Int(registration.descriptor)
    guard slots.indices.contains(index), let slot = slots[index],
      slot.generation == registration.generation
    else { return nil }
    return slot
  }
}
