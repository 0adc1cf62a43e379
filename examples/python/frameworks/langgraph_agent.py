"""A LangGraph agent that plans trips. A stand-in takes the place of its model."""

import os

import agent_health
from agent_health.frameworks import langgraph_callback
from langchain.agents import create_agent
from stand_ins import langgraph_model
from trips import serve, weather

model = langgraph_model()

health = agent_health.Agent(os.environ["AGENT_HEALTH_URL"], agent_health.key_from_environment(), "langgraph", role_id="planner").start()
planner = create_agent(model, tools=[weather]).with_config(callbacks=[langgraph_callback(health)])


def plan(city):
    return planner.invoke({"messages": [("user", f"Plan a trip to {city}")]})["messages"][-1].text


serve(health, plan)
