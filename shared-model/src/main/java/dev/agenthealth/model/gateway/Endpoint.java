package dev.agenthealth.model.gateway;

import dev.agenthealth.model.address.AddressKind;
import dev.agenthealth.model.address.IpAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of the URL for calls of an agent. Parsing is strict: a text that two parsers could read differently is refused.
 *
 * @param secure whether the scheme is {@code https}
 * @param host a name or an address
 * @param port the port, 1 to 65535
 * @param target path and query as sent in the request, beginning with a slash
 */
public record Endpoint(boolean secure, Host host, int port, String target) {

    private static final int MAX_LENGTH = 2_048;
    private static final int MAX_NAME = 253;
    private static final int MAX_PORT = 65_535;
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;

    /** The accepted form. It has neither credentials nor a fragment. */
    private static final Pattern FORM =
            Pattern.compile("(?i:(https?)://)([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+])(?::([0-9]{1,5}))?"
                    + "((?:/[A-Za-z0-9._~!$&'()*+,;=:@/-]*)?(?:\\?[A-Za-z0-9._~!$&'()*+,;=:@/?-]*)?)");

    private static final Pattern ESCAPED = Pattern.compile("%[0-9A-Fa-f]{2}");

    /** Parts of a path with which a server may leave the directory: dots, and escaped dots and slashes. */
    private static final Pattern LEAVES_PATH = Pattern.compile("(?i)\\.\\.|%2e|%2f|%5c|%25");

    private static final String LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
    private static final Pattern NAME = Pattern.compile("(?:" + LABEL + "\\.)*" + LABEL);

    /** Texts that some parsers read as an IPv4 address, because the last label is a decimal or hexadecimal number. */
    private static final Pattern ENDS_IN_A_NUMBER = Pattern.compile("(?:.*\\.)?(?:[0-9]+|0x[0-9a-f]*)");

    /** The host to call. */
    public sealed interface Host {

        /** Returns the host as sent in the request and, for a name, as checked in the certificate. */
        String text();

        /** A name in lower case, which has to be resolved. */
        record Name(String text) implements Host {}

        /** An address, which needs no resolution. */
        record Literal(String text, IpAddress address) implements Host {}
    }

    /** Returns true if the host is this machine by its form: a loopback address, or a name that always leads to one (RFC 6761 §6.3). */
    public boolean isLoopback() {
        return host instanceof Host.Literal literal
                ? literal.address().kind() == AddressKind.LOOPBACK
                : host.text().equals("localhost") || host.text().endsWith(".localhost");
    }

    /** Returns the endpoint in a text; empty if the text is no endpoint. */
    public static Optional<Endpoint> of(String text) {
        // For the form, an escape counts as one harmless letter. It stays unchanged in the target.
        Matcher form = FORM.matcher(ESCAPED.matcher(text).replaceAll("~~~"));
        if (text.length() > MAX_LENGTH || !form.matches()) {
            return Optional.empty();
        }
        boolean secure = form.group(1).equalsIgnoreCase("https");
        int port = form.group(3) == null ? secure ? HTTPS_PORT : HTTP_PORT : Integer.parseInt(form.group(3));
        if (port < 1 || port > MAX_PORT) {
            return Optional.empty();
        }
        String target = text.substring(form.start(4));
        return host(form.group(2).toLowerCase(Locale.ROOT))
                .map(host -> new Endpoint(secure, host, port, target.startsWith("/") ? target : "/" + target));
    }

    /** Returns host and port as the request names them. */
    public String authority() {
        return port == (secure ? HTTPS_PORT : HTTP_PORT) ? host.text() : host.text() + ":" + port;
    }

    /**
     * Returns an endpoint below this one: with a longer path, and with the query appended to the present one.
     *
     * @param path the path to append, beginning with a slash, escaped
     * @param query the query to append, escaped; may be empty
     */
    public Endpoint below(String path, String query) {
        int mark = target.indexOf('?');
        String base = path();
        String queries = Stream.of(mark < 0 ? "" : target.substring(mark + 1), query)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("&"));
        String below = (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path;
        return new Endpoint(secure, host, port, queries.isEmpty() ? below : below + "?" + queries);
    }

    /** Returns whether this endpoint has the scheme, host and port of another endpoint, and its path or a path below. */
    public boolean isAtOrBelow(Endpoint other) {
        String base = other.path();
        boolean isBelow = path().startsWith(base.endsWith("/") ? base : base + "/")
                && !LEAVES_PATH.matcher(path()).find();
        return secure == other.secure && authority().equals(other.authority()) && (path().equals(base) || isBelow);
    }

    private String path() {
        int mark = target.indexOf('?');
        return mark < 0 ? target : target.substring(0, mark);
    }

    private static Optional<Host> host(String text) {
        if (text.startsWith("[")) {
            return IpAddress.ofIpv6(text.substring(1, text.length() - 1))
                    .map(address -> new Host.Literal(text, address));
        }
        if (ENDS_IN_A_NUMBER.matcher(text).matches()) {
            return IpAddress.ofIpv4(text).map(address -> new Host.Literal(text, address));
        }
        return text.length() <= MAX_NAME && NAME.matcher(text).matches()
                ? Optional.of(new Host.Name(text))
                : Optional.empty();
    }
}
