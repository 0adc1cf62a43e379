// How an agent is connected in each language; `url` is the registry's and `key` the agent's.

const curl = (url, key) => `URL=${url}
KEY=${key}
curl $URL/api/v1/agents -H "X-API-Key: $KEY" -d '{"agent_id": "my-agent"}'
while curl -s -X POST $URL/api/v1/agents/my-agent/heartbeat -H "X-API-Key: $KEY"; do sleep 30; done`;

const python = (url, key) => `# In a checkout of Agent Health: pip install ./clients/python
import time
from agent_health import Agent

with Agent("${url}", "${key}", "my-agent") as agent:

    @agent.task
    def work(item):
        print("worked on", item)

    for item in range(100):
        work(item)
        time.sleep(5)`;

const java = (url, key) => `// In a checkout of Agent Health: mvn install -DskipTests -pl clients/java -am
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.ManagedAgent;
import dev.agenthealth.client.Registration;

public class MyAgent {
    public static void main(String[] arguments) throws InterruptedException {
        AgentHealthClient registry = AgentHealthClient.builder("${url}").apiKey("${key}").build();
        try (ManagedAgent agent = registry.agent(Registration.of("my-agent")).start()) {
            for (int item = 0; item < 100; item++) {
                int number = item;
                agent.run(() -> System.out.println("worked on " + number));
                Thread.sleep(5000);
            }
        }
    }
}`;

const typescript = (url, key) => `// In a checkout of Agent Health: npm ci --prefix clients/typescript && npm pack ./clients/typescript
// In your project: npm install agent-health-client-0.1.0.tgz
import { Agent } from "@agent-health/client";

const agent = await new Agent("${url}", "${key}", "my-agent").start();
const work = agent.task(async (item: number) => console.log("worked on", item));

for (let item = 0; item < 100; item++) {
  await work(item);
  await new Promise((resolve) => setTimeout(resolve, 5000));
}
await agent.close();`;

const opentelemetry = (url, key) => `# Registered once; each span of the agent is a heartbeat from then on.
curl ${url}/api/v1/agents -H "X-API-Key: ${key}" \\
    -d '{"agent_id": "my-agent", "heartbeat_config": {"signs_of_life": ["spans"]}}'

# In the environment of the agent:
export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${url}/v1/otlp/v1/traces
export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_TRACES_HEADERS="x-api-key=${key}"
export OTEL_RESOURCE_ATTRIBUTES="agent_health.agent_id=my-agent"`;

export const SNIPPETS = { curl, Python: python, Java: java, TypeScript: typescript, OpenTelemetry: opentelemetry };
