/// The languages that a new module can be written in.
public enum ModuleLanguage: String, Sendable, CaseIterable {
  /// Swift, against AgentKit.
  case swift
  /// C, against agent_module.h.
  case c
  /// Python, with a copy of the package agent_module.
  case python
}
