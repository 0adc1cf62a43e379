package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.WireNamed;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** The kind of probe by which the registry finds out whether the agent behind an address is alive. */
public enum WatchKind implements WireNamed {
    /** Any HTTP answer, judged by its status and text. */
    HTTP(""),
    /** The agent card of A2A. */
    A2A("/.well-known/agent-card.json"),
    /** The health document of Agent Health State. */
    AGENT_HEALTH("/.well-known/agent-health"),
    /** The list of tools of an MCP server. */
    MCP("");

    private final String wellKnownPath;

    WatchKind(String wellKnownPath) {
        this.wellKnownPath = wellKnownPath;
    }

    /**
     * Returns the address to ask if the declaration names none: the endpoint itself, or the well-known path of its host.
     *
     * @param endpoint the URL for calls of the agent; empty without an endpoint
     * @return the address; empty if the endpoint implies none
     */
    public Optional<String> impliedUrl(String endpoint) {
        try {
            URI parts = new URI(endpoint);
            return parts.isAbsolute() && parts.getRawAuthority() != null
                    ? Optional.of(
                            wellKnownPath.isEmpty()
                                    ? endpoint
                                    : parts.getScheme() + "://" + parts.getRawAuthority() + wellKnownPath)
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
