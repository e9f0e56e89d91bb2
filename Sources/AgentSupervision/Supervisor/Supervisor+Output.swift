import Glibc

/// Reads standard output and standard error of the children.
extension Supervisor {
  /// The pause between reads of too much output. The child waits in `write` during it.
  private static let pause: Duration = .milliseconds(50)
  private static let chunk = 16 << 10
  private static let pipeCapacity = 64 << 10

  func outputWaits(child id: UInt64, _ generation: UInt64) {
    guard let child = members[id], let worker = child.worker, worker.generation == generation,
      let watch = worker.outputWatch
    else { return }
    guard readOutput(worker, of: child) != 0 else {
      loop.deregister(watch)
      worker.outputWatch = nil
      return
    }
    if worker.lines.isFlooded { pauseOutput(watch) }
  }

  /// Reads the remaining output after the process has ended: at most the content of a pipe.
  func finishOutput(_ worker: Worker, of child: SupervisedChild) {
    guard worker.process.output != nil else { return }
    var left = Self.pipeCapacity
    while left > 0 {
      let count = readOutput(worker, of: child)
      if count <= 0 { break }
      left -= count
    }
    emit(worker.lines.finish(), of: child, worker)
  }

  /// Reads output and returns the number of bytes, 0 at the end.
  private func readOutput(_ worker: Worker, of child: SupervisedChild) -> Int {
    guard let output = worker.process.output else { return 0 }
    return withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { buffer in
      let count = read(output, buffer.baseAddress, buffer.count)
      if count > 0 {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        emit(worker.lines.append(bytes, at: loop.now), of: child, worker)
      }
      return count
    }
  }

  private func emit(_ items: [OutputLines.Item], of child: SupervisedChild, _ worker: Worker) {
    for item in items {
      switch item {
      case .line(let line):
        emit(.output(line: line), child.name, generation: worker.generation)
      case .dropped(let count):
        emit(.outputDropped(lines: count), child.name, generation: worker.generation)
      }
    }
  }

  private func pauseOutput(_ watch: LoopRegistration) {
    loop.setInterest(watch, [])
    loop.schedule(after: Self.pause) { [loop] in loop.setInterest(watch, .readable) }
  }
}
