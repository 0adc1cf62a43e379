package dev.agenthealth.client;

import dev.agenthealth.client.FakeRegistry.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An agent beside a registry whose answers a test chooses. */
abstract class ManagedAgentCase {

    final FakeRegistry registry = new FakeRegistry();
    final AgentHealthClient client = registry.client().build();
    final List<String> called = new ArrayList<>();

    AgentBuilder agent() {
        return client.agent(Registration.of("a").role("billing"))
                .onDrain(drain -> called.add("drain " + drain.cause() + " " + drain.reason()))
                .onDead(death -> called.add("dead " + death.incarnation()))
                .onEnd(end -> called.add("end " + end));
    }

    void advance(int seconds) {
        registry.scheduler.advance(Duration.ofSeconds(seconds));
    }

    Sent lastHeartbeat() {
        List<Sent> all = registry.heartbeats();
        return all.get(all.size() - 1);
    }
}
