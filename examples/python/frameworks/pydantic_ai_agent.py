"""A Pydantic AI agent that plans trips. A stand-in takes the place of its model."""

import os

import agent_health
from agent_health.frameworks import pydantic_ai_capability
from pydantic_ai import Agent
from stand_ins import pydantic_ai_model
from trips import serve, weather

model = pydantic_ai_model()

health = agent_health.Agent(os.environ["AGENT_HEALTH_URL"], agent_health.key_from_environment(), "pydantic_ai", role_id="planner").start()
planner = Agent(model, tools=[weather], capabilities=[pydantic_ai_capability(health)])


def plan(city):
    return planner.run_sync(f"Plan a trip to {city}").output


serve(health, plan)
