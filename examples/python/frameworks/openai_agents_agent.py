"""An agent of the OpenAI Agents SDK that plans trips, in asyncio. A stand-in takes the place of its model."""

import asyncio
import os

import agent_health
from agent_health.frameworks import openai_agents_hooks
from agents import Agent, Runner, function_tool, set_tracing_disabled
from stand_ins import openai_agents_model
from trips import serve_async, weather

# A stand-in has nothing to trace, and there is no key for OpenAI.
set_tracing_disabled(True)
planner = Agent(name="planner", model=openai_agents_model(), tools=[function_tool(weather)])


async def main():
    url, key = os.environ["AGENT_HEALTH_URL"], agent_health.key_from_environment()
    async with agent_health.AsyncAgent(url, key, "openai_agents", role_id="planner") as health:

        @health.task
        async def plan(city):
            return (await Runner.run(planner, f"Plan a trip to {city}", hooks=openai_agents_hooks(health))).final_output

        await serve_async(health, plan)


asyncio.run(main())
