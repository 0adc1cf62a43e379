package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.WireNamed;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** The question by which the registry finds out whether the agent behind an address lives. */
public enum WatchKind implements WireNamed {
    /** A status and a text of an HTTP answer. */
    HTTP(""),
    /** An agent card of A2A. */
    A2A("/.well-known/agent-card.json"),
    /** A health document of Agent Health State. */
    AGENT_HEALTH("/.well-known/agent-health"),
    /** The list of tools of an MCP server. */
    MCP("");

    private final String wellKnownPath;

    WatchKind(String wellKnownPath) {
        this.wellKnownPath = wellKnownPath;
    }

    /**
     * Returns the address to ask where a declaration names none: the endpoint itself, or the well-known path of its host.
     *
     * @param endpoint where the agent is called; empty for none
     * @return empty where the endpoint implies no address
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
