package dev.agenthealth.client;

/** Runs a task when the JVM shuts down, from the first {@link #arm} until {@link #disarm}. Thread-safe. */
final class ShutdownHook {

    private final Thread hook;
    private boolean armed;

    ShutdownHook(Runnable task) {
        this.hook = new Thread(task, "agent-health-shutdown");
    }

    synchronized void arm() {
        if (!armed) {
            armed = true;
            Runtime.getRuntime().addShutdownHook(hook);
        }
    }

    /** Removes the hook; does nothing while the JVM shuts down. */
    synchronized void disarm() {
        if (armed) {
            armed = false;
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The JVM shuts down, and the hook runs or ran.
                return;
            }
        }
    }
}
