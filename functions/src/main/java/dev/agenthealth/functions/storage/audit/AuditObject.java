package dev.agenthealth.functions.storage.audit;

/**
 * The object of a change.
 *
 * @param type the object's type, such as {@code key}
 * @param id the object's id, unique within the type
 */
public record AuditObject(String type, String id) {

    private static final String AGENT = "agent";

    /** Returns an agent as an object. Its credential, its ping address and its commands belong to it. */
    public static AuditObject agent(String agentId) {
        return new AuditObject(AGENT, agentId);
    }

    boolean isAgent() {
        return type.equals(AGENT);
    }
}
