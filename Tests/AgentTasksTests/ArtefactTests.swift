import AgentJSON
import AgentStore
import Glibc
import Testing

@testable import AgentTasks

/// The files that tasks leave.
@Suite struct ArtefactTests {
  @Test func `names that would leave the folder, or hide, are refused`() {
    for name in [
      "", ".", "..", ".hidden", "a/b", "../a", "a\nb", String(repeating: "a", count: 201),
    ] {
      #expect(ArtefactShelf.problem(withName: name) != nil, "\(name)")
    }
    for name in [
      "a", "report.pdf", "Bild 1.png", "ä.txt", "a..b", String(repeating: "a", count: 200),
    ] {
      #expect(ArtefactShelf.problem(withName: name) == nil, "\(name)")
    }
  }

  @Test func `what is in a file is told by its name`() {
    #expect(ArtefactMedia.type(ofName: "a.PNG") == "image/png")
    #expect(ArtefactMedia.type(ofName: "a.tar.gz") == "application/gzip")
    #expect(ArtefactMedia.type(ofName: "png") == "application/octet-stream")
    #expect(ArtefactMedia.type(ofName: "a.") == "application/octet-stream")
  }
}
