package dev.agenthealth.model.operations.status;

/**
 * A line of the status page: a role or an agent under a name for outsiders.
 *
 * @param name the name in the address of its badge
 * @param label the text that readers see
 * @param agent whether {@code id} is the id of an agent; otherwise it is the id of a role
 * @param id the agent or role, which the page never shows
 */
public record StatusEntry(String name, String label, boolean agent, String id) {}
