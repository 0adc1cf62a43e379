"""An agent of Google ADK that plans trips, in asyncio. A stand-in takes the place of its model."""

import asyncio
import os
import uuid

import agent_health
from agent_health.frameworks import google_adk_plugin
from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.runners import InMemoryRunner
from stand_ins import google_adk_model
from trips import serve_async, weather

planner = LlmAgent(name="planner", model=google_adk_model(), tools=[weather])


async def main():
    url, key = os.environ["AGENT_HEALTH_URL"], agent_health.key_from_environment()
    async with agent_health.AsyncAgent(url, key, "google_adk", role_id="planner") as health:
        runner = InMemoryRunner(app=App(name="trips", root_agent=planner, plugins=[google_adk_plugin(health)]))

        @health.task
        async def plan(city):
            events = await runner.run_debug(f"Plan a trip to {city}", session_id=str(uuid.uuid4()), quiet=True)
            return events[-1].content.parts[0].text

        await serve_async(health, plan)


asyncio.run(main())
