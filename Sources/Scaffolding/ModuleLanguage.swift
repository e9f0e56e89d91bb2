/// What a new module is written in.
public enum ModuleLanguage: String, Sendable, CaseIterable {
  /// Swift, against AgentKit.
  case swift
  /// C, against agent_module.h.
  case c
  /// Python, with agent_module.py.
  case python
}
