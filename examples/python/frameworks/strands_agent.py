"""A Strands agent that plans trips. A stand-in takes the place of its model."""

import os

import agent_health
from agent_health.frameworks import strands_hooks
from stand_ins import strands_model
from strands import Agent, tool
from trips import serve, weather

model = strands_model()

health = agent_health.Agent(os.environ["AGENT_HEALTH_URL"], agent_health.key_from_environment(), "strands", role_id="planner").start()


@health.task
def plan(city):
    planner = Agent(model=model, tools=[tool(weather)], hooks=[strands_hooks(health)], callback_handler=None)
    return planner(f"Plan a trip to {city}")


serve(health, plan)
