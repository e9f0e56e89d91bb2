import AgentModules
import Glibc
import TestSupport
import Testing

@testable import AgentWorkers

@Suite struct LibraryCopiesTests {
  @Test func `a rebuilt library gets its own path`() throws {
    let folder = try TestFolder()
    mkdir("\(folder.path)/lib", 0o700)
    let copies = LibraryCopies(folder: "\(folder.path)/lib")
    let library = try folder.write("libx.so", "one")
    let first = copies.copy(of: library)
    #expect(first != library)
    #expect(copies.copy(of: library) == first)
    try folder.write("libx.so", "another")
    let second = copies.copy(of: library)
    #expect(second != first)
    #expect(second.hasSuffix("/libx.so"))
    try folder.write("libx.so", "one")
    #expect(copies.copy(of: library) == first)
  }

  @Test func `a copy is found by its digest and verified before use`() throws {
    let folder = try TestFolder()
    mkdir("\(folder.path)/lib", 0o700)
    let library = try folder.write("libx.so", "abc")
    let copy = LibraryCopies(folder: "\(folder.path)/lib").copy(of: library)
    // SHA-256 of "abc", from FIPS 180-2.
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(copy == "\(folder.path)/lib/\(digest)/libx.so")
    chmod(copy, 0o700)
    try folder.write("lib/\(digest)/libx.so", "somebody else's")
    let again = LibraryCopies(folder: "\(folder.path)/lib").copy(of: library)
    #expect(again == copy)
    #expect(try FileSystem.read(copy) == Array("abc".utf8))
  }

  @Test func `unused copies are removed`() throws {
    let folder = try TestFolder()
    mkdir("\(folder.path)/lib", 0o700)
    let copies = LibraryCopies(folder: "\(folder.path)/lib")
    let used = copies.copy(of: try folder.write("a.so", "a"))
    let unused = copies.copy(of: try folder.write("b.so", "b"))
    copies.removeAll(but: [used])
    #expect(access(used, R_OK) == 0)
    #expect(access(unused, F_OK) != 0)
  }

  @Test func `a missing library is its own copy`() throws {
    let copies = LibraryCopies(folder: try TestFolder().path)
    #expect(copies.copy(of: "/no/such/lib.so") == "/no/such/lib.so")
  }
}
