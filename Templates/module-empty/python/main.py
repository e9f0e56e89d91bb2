"""Lists what this module offers. Name, version and contributions must be those of module.json."""

from agent_module import Module

module = Module("{{name}}", "0.1.0")

if __name__ == "__main__":
    module.run()
