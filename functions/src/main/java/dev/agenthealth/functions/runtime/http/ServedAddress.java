package dev.agenthealth.functions.runtime.http;

import dev.agenthealth.model.identity.HostName;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The address of the API as the caller of a request sees it.
 *
 * @param publicUrl the address that the configuration or a trusted proxy names; empty if neither does
 * @param namedByGateway whether the domain belongs to API Gateway
 * @param schemes the header {@code X-Forwarded-Proto}
 * @param host the host that the caller named
 * @param domain the domain name of the event; empty if it has none
 * @param requestedHost the host that the caller requested, by the trusted proxy if one forwarded the request
 */
public record ServedAddress(
        String publicUrl, boolean namedByGateway, String schemes, String host, String domain, String requestedHost) {

    /** A host with an optional port. */
    private static final Pattern HOST = Pattern.compile("([A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(:[0-9]{1,5})?");

    private static final Pattern OF_THIS_MACHINE =
            Pattern.compile("https?://(localhost|127[.][0-9.]+|\\[::1])(:[0-9]+)?", Pattern.CASE_INSENSITIVE);

    /**
     * Returns the address of the API for addresses in responses, without a slash at its end, such as {@code https://agents.example.com} or
     * {@code https://example.com/agents}.
     *
     * <p>It is the public address if it is configured. API Gateway always sets HTTPS and its domain name. On one machine it is otherwise
     * the requested host. Identifiers and signatures therefore need {@link #publicAddress} or {@link #isAtOwnAddress}.
     */
    public String baseUrl() {
        if (!publicUrl.isEmpty()) {
            return publicUrl;
        }
        // API Gateway appends its value; the caller sent the values before it.
        if (schemes.substring(schemes.lastIndexOf(',') + 1).trim().equals("https")) {
            return "https://" + domain;
        }
        return "http://" + (HOST.matcher(host).matches() ? host : domain);
    }

    /** Returns scheme and host of {@link #baseUrl}, in the form of the header {@code Origin}. */
    public String origin() {
        String url = baseUrl();
        int path = pathIndex(url);
        return path < 0 ? url : url.substring(0, path);
    }

    /**
     * Returns a path of the API as callers see it, with the path of the public address before it. A proxy strips the path of the public
     * address.
     *
     * @param path begins with a slash
     */
    public String publicPath(String path) {
        int prefix = pathIndex(publicUrl);
        return prefix < 0 ? path : publicUrl.substring(prefix) + path;
    }

    /** Returns the address of the API that no caller can choose: the configured address, or API Gateway's own address. Empty if neither exists. */
    public Optional<String> publicAddress() {
        if (!publicUrl.isEmpty()) {
            return Optional.of(publicUrl);
        }
        return namedByGateway && !domain.isEmpty() ? Optional.of(baseUrl()) : Optional.empty();
    }

    /** Returns whether {@link #baseUrl} leads to this registry whatever host a caller names: the public address, or this machine itself. */
    public boolean isAtOwnAddress() {
        return publicAddress().isPresent() || isOfThisMachine(baseUrl());
    }

    /** Returns whether an address names the reader's own machine, by name or number, and has no path. */
    public static boolean isOfThisMachine(String url) {
        return OF_THIS_MACHINE.matcher(url).matches();
    }

    private static int pathIndex(String url) {
        int scheme = url.indexOf("://");
        return scheme < 0 ? -1 : url.indexOf('/', scheme + "://".length());
    }

    /**
     * Returns the requested host in lower case and without a port; empty if it is no host name. If a trusted proxy names a host, that host
     * counts.
     */
    public String hostName() {
        String name = HostName.normalized(requestedHost);
        return HostName.isValid(name) ? name : "";
    }
}
