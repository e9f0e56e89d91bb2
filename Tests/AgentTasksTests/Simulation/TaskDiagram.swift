import AgentStore
import AgentTasks
import Glibc

/// Which state may follow which, as docs/tasks.md says it: the arrows of its diagram, and `cancelled`
/// after every state that is no end. Empty if the page can't be read.
let documentedTransitions: [TaskState: Set<TaskState>] = {
  let page = tasksPage()
  let diagram = page.split(separator: "stateDiagram-v2").dropFirst().first?.split(separator: "```")
  var transitions: [TaskState: Set<TaskState>] = [:]
  for line in (diagram?.first ?? "").split(separator: "\n") {
    // As `waiting --> queued: execute`. The beginning, `[*]`, is no state.
    let words = line.split { $0 == " " || $0 == ":" }
    guard words.count > 2, let former = TaskState(rawValue: String(words[0])),
      let next = TaskState(rawValue: String(words[2]))
    else { continue }
    transitions[former, default: []].insert(next)
  }
  if page.contains("Every task that has not ended can also become `cancelled`.") {
    for state in TaskState.allCases where !state.isEnded {
      transitions[state, default: []].insert(.cancelled)
    }
  }
  return transitions
}()

private func tasksPage() -> String {
  let repository = #filePath.split(separator: "/Tests/").first.map(String.init) ?? ""
  guard let file = fopen("\(repository)/docs/tasks.md", "r") else { return "" }
  defer { fclose(file) }
  // The page has an eighth of this.
  var bytes = [UInt8](repeating: 0, count: 1 << 17)
  return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
}
