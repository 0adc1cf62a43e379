package dev.agenthealth.model.registry.profile;

import java.util.List;

/**
 * The texts and marks by which an agent describes itself (RFC-0016 §1).
 *
 * @param name the name for people; empty without a name
 * @param agentUri the agent's id in health documents; empty without one
 * @param providerId the provider of the agent; empty without a provider
 * @param platform the platform of the agent; empty without a platform
 * @param version the version of the agent's program; empty if unknown
 * @param personal whether the agent serves one natural person, so that its health is shown only coarsely (state draft §8)
 * @param inCatalogue whether the catalogue that clients search for agents shows the agent
 * @param coordinators the ids of the keys that coordinate the agent, at most {@value #MAX_COORDINATORS}; if empty, every coordinator of its role
 *     does
 * @param metadata the JSON text of an object that the protocol does not read
 */
public record Description(
        String name,
        String agentUri,
        String providerId,
        String platform,
        String version,
        boolean personal,
        boolean inCatalogue,
        List<String> coordinators,
        String metadata) {

    /** The metadata if the agent declares none. */
    public static final String NO_METADATA = "{}";

    public static final int MAX_COORDINATORS = 8;

    /** The maximum size of metadata, in bytes of UTF-8. */
    public static final int MAX_METADATA_BYTES = 16 * 1024;

    /** The description of an agent that declares none. */
    public static final Description NONE = new Description("", "", "", "", "", false, false, List.of(), NO_METADATA);

    public Description {
        coordinators = List.copyOf(coordinators);
    }

    /** Returns this description with a provider; the provider may be empty. */
    public Description of(String provider) {
        return new Description(
                name, agentUri, provider, platform, version, personal, inCatalogue, coordinators, metadata);
    }
}
