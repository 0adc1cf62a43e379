"""What the agents of this folder share: two trips to plan, a tool, and the wait for the drain."""

import time

CITIES = ("Lisbon", "Atlantis")


def pause() -> None:
    """Lets an answer and a tool take long enough to be seen in the registry."""
    time.sleep(3)


def weather(city: str) -> str:
    """Returns the weather of a city."""
    pause()
    return city + " is sunny"


def serve(health, plan) -> None:
    """Plans the trips, and waits until the agent has drained."""
    for city in CITIES:
        try:
            print(city, "-", plan(city), flush=True)
        except Exception as error:
            print(city, "- failed:", type(error).__name__, flush=True)
    print("waits for a drain", flush=True)
    health.wait()
    print("drained", flush=True)


async def serve_async(health, plan) -> None:
    """The same in asyncio."""
    for city in CITIES:
        try:
            print(city, "-", await plan(city), flush=True)
        except Exception as error:
            print(city, "- failed:", type(error).__name__, flush=True)
    print("waits for a drain", flush=True)
    await health.wait()
    print("drained", flush=True)
