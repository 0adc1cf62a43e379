package dev.agenthealth.client;

import java.io.IOException;

/** An agent in a process of its own that waits to be ended. */
final class ShutdownProgram {

    private ShutdownProgram() {}

    public static void main(String[] arguments) throws IOException {
        AgentHealthClient.of(arguments[0], "secret")
                .agent(Registration.of("a"))
                .onDrain(drain -> System.out.println("callback " + drain.cause()))
                .start();
        System.out.println("started");
        // What it reads from ends with the test, also where that is killed.
        System.in.read();
        Runtime.getRuntime().halt(1);
    }
}
