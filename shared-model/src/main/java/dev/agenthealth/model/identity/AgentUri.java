package dev.agenthealth.model.identity;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The form of the URI that identifies an agent outside of the registry: the URL of its agent card, or a DID such as did:wba (Agent Health State
 * §4.2).
 *
 * <p>The agent's health document makes the URI public. The document contains neither texts that identify users nor internal addresses (§7, §8).
 * Therefore the URI may not contain credentials, queries, mail addresses, free text or IP addresses.
 */
public final class AgentUri {

    /** The maximum length in characters. */
    public static final int MAX_LENGTH = 2_048;

    /** The rule of {@link #isValid}, for messages. */
    public static final String RULE =
            "must be the http or https URL of an agent card at a named host, without user, query and fragment,"
                    + " or a DID such as did:wba:example.com:agent";

    /** The method and id of a DID (DID Core §3.1). */
    private static final Pattern DID = Pattern.compile("did:[a-z0-9]+:[A-Za-z0-9._:%-]*[A-Za-z0-9._-]");

    /** The scheme, host, and optionally a port and a path without the sign of mail addresses (RFC 3986 §3). */
    private static final Pattern URL = Pattern.compile(
            "(?i:https?)://(?<host>[A-Za-z0-9.-]+)(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~!$&'()*+,;=:%/-]*)?");

    private static final Pattern WRONG_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    /** The IPv4 address of a machine, at any position. */
    private static final Pattern ADDRESS = Pattern.compile("(?<![0-9.])[0-9]{1,3}(?:\\.[0-9]{1,3}){3}(?![0-9.])");

    private static final Pattern NUMBER = Pattern.compile("(?:0[xX][0-9A-Fa-f]*|[0-9]+)");

    private AgentUri() {}

    /** Returns whether {@code uri} has the form of an agent URI. */
    public static boolean isValid(String uri) {
        return uri.length() <= MAX_LENGTH
                && (DID.matcher(uri).matches() || isUrl(uri))
                && !WRONG_ESCAPE.matcher(uri).find()
                && !ADDRESS.matcher(uri).find();
    }

    private static boolean isUrl(String text) {
        Matcher url = URL.matcher(text);
        return url.matches() && isName(HostName.normalized(url.group("host")));
    }

    /** Returns whether a host is a name. A host that ends in a number is an address in one of its many forms. */
    private static boolean isName(String host) {
        return HostName.isValid(host)
                && !NUMBER.matcher(host.substring(host.lastIndexOf('.') + 1)).matches();
    }
}
