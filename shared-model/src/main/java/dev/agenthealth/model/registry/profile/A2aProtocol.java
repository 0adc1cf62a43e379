package dev.agenthealth.model.registry.profile;

import java.util.regex.Pattern;

/**
 * The protocol for calls of an agent.
 *
 * @param version the version of A2A
 * @param binding the representation of calls
 * @param tenant the tenant that calls in version 1.0 name, for an endpoint that serves several agents; empty for none
 */
public record A2aProtocol(A2aVersion version, A2aBinding binding, String tenant) {

    /** The maximum number of characters of a tenant. */
    public static final int MAX_TENANT = 255;

    /** The rule for tenants, in words. */
    public static final String TENANT_RULE = "must have 1 to " + MAX_TENANT
            + " letters, digits and -._~!$&'()*+,;=:@ with single slashes between parts, and no part . or ..";

    /** The protocol if the agent declares none. */
    public static final A2aProtocol DEFAULT = new A2aProtocol(A2aVersion.DEFAULT, A2aBinding.DEFAULT, "");

    /** A tenant may have slashes, since HTTP+JSON has the tenant in its path. It must not lead out of the endpoint's path. */
    private static final Pattern TENANT = Pattern.compile(
            "(?!(?:.*/)?[.]{1,2}(?:/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+(?:/[A-Za-z0-9._~!$&'()*+,;=:@-]+)*");

    /** Returns whether a text may be a tenant. */
    public static boolean isTenant(String text) {
        return text.length() <= MAX_TENANT && TENANT.matcher(text).matches();
    }

    /** Returns the same binding and tenant with another version. */
    public A2aProtocol in(A2aVersion other) {
        return new A2aProtocol(other, binding, tenant);
    }
}
