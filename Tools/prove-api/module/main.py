from agent_module import Action, Answer, Datasource, Event, LogicAdapter, Module

module = Module("prober", "1.0.0")


@module.datasource("ticks")
class Ticks(Datasource):
    async def run(self):
        count = await self.host.state.get("count", 0)
        while True:
            count += 1
            await self.host.state.set("count", count)
            await self.host.events.publish(Event("tick", {"count": count}))
            await self.host.sleep(self.settings["milliseconds"] / 1000)


@module.datasource("reader")
class Reader(Datasource):
    async def run(self):
        async for _ in self.host.events.consume("tick", "tally"):
            pass


@module.logic_adapter("hello")
class Hello(LogicAdapter):
    async def respond(self, statement):
        return Answer("Hello.", 0.8)


@module.action("echo")
class Echo(Action):
    async def perform(self, input, progress):
        return {"word": input["word"]}


if __name__ == "__main__":
    module.run()
