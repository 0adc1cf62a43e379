package dev.agenthealth.model.registry.workflow;

/**
 * The people who take care of the agents of a role, as problems and messages name them.
 *
 * @param contact the name, address or channel of these people; empty if not declared
 * @param runbookUrl the address of the instructions for problems of the role; empty if not declared
 */
public record RoleContact(String contact, String runbookUrl) {

    /** The maximum length of a contact. */
    public static final int MAX_CONTACT = 200;

    /** The maximum length of the address of a runbook. */
    public static final int MAX_URL = 500;

    /** A role without a contact. */
    public static final RoleContact NONE = new RoleContact("", "");

    /** Returns a sentence followed by the declared parts. */
    public String after(String sentence) {
        return sentence
                + (contact.isEmpty() ? "" : " Contact: " + contact + ".")
                + (runbookUrl.isEmpty() ? "" : " Runbook: " + runbookUrl);
    }
}
