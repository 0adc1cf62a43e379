package dev.agenthealth.local.client;

import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.ManagedAgent;
import dev.agenthealth.client.Registration;
import dev.agenthealth.client.RunningTask;
import dev.agenthealth.client.Working;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** An agent in a process of its own that hangs in a tool until it drains. */
final class StuckProgram {

    private StuckProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        CountDownLatch hangs = new CountDownLatch(1);
        ManagedAgent agent = AgentHealthClient.of(arguments[0], arguments[1])
                .agent(Registration.of("stuck_java")
                        .heartbeat(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(60))
                        .stallAfter(Duration.ofSeconds(3))
                        .restartWhenStalled())
                .onDrain(drain -> {
                    System.out.println(drain.cause() + " " + drain.reason());
                    hangs.countDown();
                })
                .start();
        try (RunningTask task = agent.begin("invoice_7");
                Working call = agent.tool()) {
            hangs.await();
            call.progress();
            task.succeeded();
        }
        Thread.currentThread().join();
    }
}
