package dev.agenthealth.functions.storage.audit;

/**
 * The object of a change.
 *
 * @param type such as {@code key}
 * @param id its id among those of the type
 */
public record AuditObject(String type, String id) {

    private static final String AGENT = "agent";

    /** An agent, to which its credential, its ping address and its commands belong. */
    public static AuditObject agent(String agentId) {
        return new AuditObject(AGENT, agentId);
    }

    boolean isAgent() {
        return type.equals(AGENT);
    }
}
