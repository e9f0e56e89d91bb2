import CSupervision
import Glibc

/// Starts processes, always on the loop's thread, because a child dies with the thread that started
/// it.
struct Spawner: ~Copyable {
  private let null: Int32
  private let known: KnownChildren
  private let stock = DescriptorStock()

  init(known: KnownChildren) {
    null = open("/dev/null", O_RDWR | O_CLOEXEC)
    self.known = known
  }

  deinit {
    _ = close(null)
  }

  /// Makes descriptors for the next start in advance.
  func restock() { stock.restock() }

  /// Starts a process and registers it as known. Returns while its program is still being loaded.
  func begin(
    _ command: ChildCommand, descriptors: ChildDescriptors, limits: ChildLimits
  ) throws(SpawnError) -> SpawnUnderWay {
    let image = try CommandImage(command)
    let pipes = try SpawnPipes(descriptors, stock)
    var result = cs_result()
    var spawning: OpaquePointer?
    known.spawning {
      spawning = image.withRequest { request in
        pipes.withDescriptors(null: null) { list in
          request.descriptors = list.baseAddress
          request.descriptor_count = list.count
          request.files = limits.files.map { UInt64(clamping: $0) } ?? 0
          request.data = limits.data.map { UInt64(clamping: $0) } ?? 0
          return cs_spawn_begin(&request, &result)
        }
      }
      return spawning == nil ? nil : result.pid
    }
    pipes.closeChildEnds()
    guard let spawning else {
      pipes.closeHostEnds()
      throw SpawnError(result, command)
    }
    return SpawnUnderWay(
      process: pipes.process(result, startedAt: WallClock.milliseconds), spawning: spawning,
      command: command, known: known)
  }
}

enum WallClock {
  /// Unix milliseconds.
  static var milliseconds: Int64 { microseconds / 1000 }

  /// Unix microseconds.
  static var microseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1000
  }
}
