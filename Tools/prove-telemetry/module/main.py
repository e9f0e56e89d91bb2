from agent_module import Action, Datasource, Event, Module

module = Module("prober", "1.0.0")

#: What has to be escaped in one form or the other.
ODD = "a \"b\" \\ c\nd é 😀 , } = \\n"


@module.datasource("values")
class Values(Datasource):
    async def run(self):
        metrics = self.host.metrics
        metrics.counter("odd_total", ODD, which=ODD).add(0.5)
        metrics.gauge("level", which="").set(-1e300)
        waits = metrics.histogram("wait_seconds", "Waits.", [0.001, 1, 1e21])
        for value in (0, 0.001, 0.5, 7, 1e22):
            waits.observe(value)
        self.host.health.report("degraded", ODD, "odd")
        while True:
            await self.host.sleep(3600)


@module.action("act")
class Act(Action):
    async def perform(self, input, progress):
        await self.host.state.set("acted", True)
        await self.host.events.publish(Event("acted", {}))
        return progress.traceparent


@module.action("fail")
class Fail(Action):
    async def perform(self, input, progress):
        raise ValueError(ODD)


if __name__ == "__main__":
    module.run()
