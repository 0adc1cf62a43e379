package dev.agenthealth.client;

/** Deregisters an agent that is not wanted any more, if that succeeds: the registry marks it as dead otherwise. */
final class Deregistration {

    private Deregistration() {}

    static void attempt(Api api, AgentRecord record) {
        try {
            api.sendOnce(
                    Call.delete("/api/v1/agents").segment(record.agentId()).query("incarnation", record.incarnation()));
        } catch (RuntimeException e) {
            System.getLogger("dev.agenthealth.client")
                    .log(System.Logger.Level.INFO, "agent " + record.agentId() + " was not deregistered: " + e);
        }
    }
}
