"""A press: a process that waits for pages, which an action prints in its worker."""
import asyncio
import os

from agent_module import Action, Datasource, Module

module = Module("presses", "0.1.0")


@module.datasource("press")
class Press(Datasource):
    async def run(self):
        await asyncio.Event().wait()


@module.action("print_page")
class PrintPage(Action):
    async def perform(self, input, progress):
        await asyncio.sleep(0.5)
        return {"page": input["page"], "press": os.getpid()}


module.run()
