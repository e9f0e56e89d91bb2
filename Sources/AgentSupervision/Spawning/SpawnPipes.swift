import CSupervision
import Glibc

/// Both ends of the descriptors that a child inherits, during its spawn.
struct SpawnPipes {
  private var pairs: [(ends: DescriptorPair, targets: [Int32])] = []
  private var socket: Int32?
  private var crash: Int32?
  private var output: Int32?
  private let inheritsOutput: Bool

  init(_ descriptors: ChildDescriptors, _ stock: DescriptorStock) throws(SpawnError) {
    inheritsOutput = !descriptors.capturesOutput
    do {
      if let number = descriptors.socket { socket = add([number], try stock.take(.socket)) }
      if descriptors.capturesOutput { output = add([1, 2], try stock.take(.pipe)) }
      if let number = descriptors.crash { crash = add([number], try stock.take(.pipe)) }
    } catch {
      closeChildEnds()
      closeHostEnds()
      throw error
    }
  }

  /// Calls `body` with the child's descriptors and their numbers in the child.
  func withDescriptors<R>(
    null: Int32, _ body: (UnsafeBufferPointer<cs_descriptor>) -> R
  ) -> R {
    var list = [cs_descriptor(source: null, target: 0)]
    if inheritsOutput {
      list += [cs_descriptor(source: 1, target: 1), cs_descriptor(source: 2, target: 2)]
    }
    for pair in pairs {
      list += pair.targets.map { cs_descriptor(source: pair.ends.child, target: $0) }
    }
    return list.withUnsafeBufferPointer(body)
  }

  func process(_ result: cs_result, startedAt: Int64) -> SpawnedProcess {
    SpawnedProcess(
      pid: result.pid, pidfd: DescriptorPair.moved(result.pidfd), socket: socket, crash: crash,
      output: output, startedAt: startedAt)
  }

  func closeChildEnds() {
    for pair in pairs { _ = close(pair.ends.child) }
  }

  func closeHostEnds() {
    for pair in pairs { _ = close(pair.ends.host) }
  }

  private mutating func add(_ targets: [Int32], _ ends: DescriptorPair) -> Int32 {
    pairs.append((ends, targets))
    return ends.host
  }
}
