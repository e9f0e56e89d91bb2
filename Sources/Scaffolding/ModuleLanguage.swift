/// A language of new modules.
public enum ModuleLanguage: String, Sendable, CaseIterable {
  /// Swift, with AgentKit.
  case swift
  /// C, with agent_module.h.
  case c
  /// Python, with a copy of the package agent_module.
  case python
}
