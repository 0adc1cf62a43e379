package dev.agenthealth.model.registry.profile;

import java.util.List;

/**
 * The texts and marks by which an agent describes itself (RFC-0016 §1).
 *
 * @param name for people; empty for none
 * @param agentUri the agent's id in health documents; empty for none
 * @param providerId the provider that runs it; empty for none
 * @param platform the platform it runs on; empty for none
 * @param personal whether it serves one natural person, so that its health is shown coarsely (state draft §8)
 * @param inCatalogue whether it is shown in the catalogue that clients search for agents
 * @param coordinators ids of the keys that coordinate it, at most {@value #MAX_COORDINATORS}; empty for those of every coordinator of its role
 * @param metadata JSON text of an object that the protocol does not read
 */
public record Description(
        String name,
        String agentUri,
        String providerId,
        String platform,
        boolean personal,
        boolean inCatalogue,
        List<String> coordinators,
        String metadata) {

    /** The metadata of an agent without any. */
    public static final String NO_METADATA = "{}";

    public static final int MAX_COORDINATORS = 8;

    /** The largest metadata, in bytes of UTF-8. */
    public static final int MAX_METADATA_BYTES = 16 * 1024;

    /** An agent that says nothing about itself. */
    public static final Description NONE = new Description("", "", "", "", false, false, List.of(), NO_METADATA);

    public Description {
        coordinators = List.copyOf(coordinators);
    }

    /** Returns the same description of an agent of this provider, whose id is empty for none. */
    public Description of(String provider) {
        return new Description(name, agentUri, provider, platform, personal, inCatalogue, coordinators, metadata);
    }
}
