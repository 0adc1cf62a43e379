package dev.agenthealth.client;

import java.time.Duration;

/** Drains an agent and ends the process, so that its supervisor starts it again. */
final class ProcessRestart {

    /** The exit status of a process that its supervisor has to restart: {@code EX_TEMPFAIL} of {@code sysexits.h}. */
    static final int STATUS = 75;

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(120);
    private static final Duration MAX_EXIT = Duration.ofSeconds(30);

    private ProcessRestart() {}

    /** Drains the agent, and ends the process after the drain or its timeout. Returns at once. */
    static void begin(AgentSession session, Drain drain) {
        session.ended().thenAccept(end -> session.settings().exit().accept(STATUS));
        Duration timeout = drain.timeout().isZero() ? DEFAULT_TIMEOUT : drain.timeout();
        session.context().scheduler().schedule(timeout, () -> session.end(AgentEnd.CLOSED));
        session.drain(drain);
    }

    /** Ends the process. Stuck shutdown hooks delay the end only for a limited time. */
    static void exit(int status) {
        Thread limit = new Thread(
                () -> {
                    try {
                        Thread.sleep(MAX_EXIT.toMillis());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    Runtime.getRuntime().halt(status);
                },
                "agent-health-exit");
        limit.setDaemon(true);
        limit.start();
        System.exit(status);
    }
}
