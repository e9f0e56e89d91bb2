"""Lists what this module offers. Name, version and contributions must be those of module.json."""

from agent_module import Module
from datasources.log_file import LogFile
from logic_adapters.error_count import ErrorCount
from monitors.error_rate import ErrorRate

module = Module("{{name}}", "0.1.0")
module.datasource("log_file")(LogFile)
module.monitor("error_rate")(ErrorRate)
module.logic_adapter("error_count")(ErrorCount)

if __name__ == "__main__":
    module.run()
