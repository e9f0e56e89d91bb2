/// What a new module is written in.
public enum ModuleLanguage: String, Sendable, CaseIterable {
  /// Swift, against AgentKit.
  case swift
  /// C, against agent_module.h.
  case c
  /// Python, with a copy of the package agent_module.
  case python
}
