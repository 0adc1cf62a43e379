package dev.agenthealth.client;

/** An agent in a process of its own that waits to be ended. */
final class ShutdownProgram {

    private ShutdownProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        AgentHealthClient.of(arguments[0], "secret")
                .agent(Registration.of("a"))
                .onDrain(drain -> System.out.println("callback " + drain.cause()))
                .start();
        System.out.println("started");
        Thread.currentThread().join();
    }
}
