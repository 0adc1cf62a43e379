package dev.agenthealth.model.registry.telemetry;

import dev.agenthealth.model.identity.Sha256;
import java.util.HexFormat;
import java.util.List;

/**
 * The name of an agent in spans. It is stable over runs, and unique among the services of one key.
 *
 * @param service the {@code service.name} of the process
 * @param agent the name of the agent; empty for all agents of the service that have no name of their own
 */
public record AgentName(String service, String agent) {

    private static final int ID_BYTES = 16;

    /** Returns the name for all agents of the service. */
    public AgentName ofWholeService() {
        return new AgentName(service, "");
    }

    /** Returns the id for this name, of 32 hexadecimal digits. */
    public String id() {
        return HexFormat.of().formatHex(Sha256.of(List.of(service, agent)), 0, ID_BYTES);
    }

    /** Returns whether both parts can be stored: the service has a name, and neither part is too long or has control characters. */
    public boolean isValid() {
        return !service.isEmpty() && isText(service) && isText(agent);
    }

    private static boolean isText(String text) {
        return text.length() <= SpanAttribute.MAX_LENGTH && text.chars().noneMatch(Character::isISOControl);
    }
}
