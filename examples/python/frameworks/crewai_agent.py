"""A crew of CrewAI that plans trips. A stand-in takes the place of its model."""

import os

import agent_health
from agent_health.frameworks import crewai_hooks
from crewai import Agent, Crew, Task
from crewai.tools import tool
from stand_ins import crewai_model
from trips import serve, weather

planner = Agent(role="Planner", goal="Plan trips", backstory="It plans trips.", llm=crewai_model(), tools=[tool("weather")(weather)])
task = Task(description="Plan a trip to {city}", expected_output="A plan", agent=planner)
crew = Crew(agents=[planner], tasks=[task])

health = agent_health.Agent(os.environ["AGENT_HEALTH_URL"], agent_health.key_from_environment(), "crewai", role_id="planner").start()
crewai_hooks(health)


@health.task
def plan(city):
    return crew.kickoff(inputs={"city": city}).raw


serve(health, plan)
