package dev.agenthealth.model.identity;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The form of the URI by which an agent is known beyond the registry: the URL of its agent card, or a DID such as did:wba (Agent Health State
 * §4.2).
 *
 * <p>It is public in the agent's health document, which holds no text that identifies users and no internal address (§7, §8). So it may not
 * contain credentials, queries, mail addresses, free text or IP addresses.
 */
public final class AgentUri {

    /** The longest, in characters. */
    public static final int MAX_LENGTH = 2_048;

    /** The rule of {@link #isValid}, for messages. */
    public static final String RULE =
            "must be the http or https URL of an agent card at a named host, without user, query and fragment,"
                    + " or a DID such as did:wba:example.com:agent";

    /** Method and id of a DID (DID Core §3.1). */
    private static final Pattern DID = Pattern.compile("did:[a-z0-9]+:[A-Za-z0-9._:%-]*[A-Za-z0-9._-]");

    /** Scheme, host, and perhaps a port and a path without the sign that mail addresses have (RFC 3986 §3). */
    private static final Pattern URL = Pattern.compile(
            "(?i:https?)://(?<host>[A-Za-z0-9.-]+)(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~!$&'()*+,;=:%/-]*)?");

    private static final Pattern WRONG_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    /** Of a machine, wherever it stands. */
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

    /** Returns a host that ends in a number is an address in one of its many forms, and no name. */
    private static boolean isName(String host) {
        return HostName.isValid(host)
                && !NUMBER.matcher(host.substring(host.lastIndexOf('.') + 1)).matches();
    }
}
