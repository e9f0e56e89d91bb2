import BenchSupport
import Glibc

/// What run.sh starts: the questions, our answers to them, the comparison, and the memory.
@main
struct CronBench {
  static func main() {
    do {
      switch CommandLine.arguments.dropFirst().first {
      case "questions": Question.typical.forEach { print($0.line) }
      case "answer": try Answer.answerAll()
      case "compare": try Comparison(folder: CommandLine.arguments.last ?? "").report()
      case "memory": try MemoryBenchmark.report()
      default: throw BenchError("cron-bench questions|answer|compare FOLDER|memory")
      }
    } catch {
      let line = Array("cron-bench: \(error)\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
      exit(1)
    }
  }
}
