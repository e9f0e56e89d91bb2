// A module author writes `import AgentKit` and has JSON values too.
@_exported public import AgentJSON
