package dev.agenthealth.model.gateway;

import dev.agenthealth.model.address.AddressKind;
import dev.agenthealth.model.gateway.Endpoint.Host;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads the addresses in agent cards. Servers often write the address to which they bind, such as {@code 0.0.0.0}, into their card. That address
 * stands for the host that serves the card.
 */
public final class CardAddress {

    /** The maximum number of addresses in a text for operators. */
    private static final int MAX_SHOWN = 3;

    private static final int MAX_LENGTH = 100;

    private CardAddress() {}

    /**
     * Returns whether an address in a card names an endpoint. The case of scheme and host, the usual port and a slash at the end make no
     * difference.
     *
     * @param address the address in the card
     * @param endpoint the URL for calls of the agent
     */
    public static boolean names(String address, String endpoint) {
        if (withoutSlash(address).equals(withoutSlash(endpoint))) {
            return true;
        }
        Optional<Endpoint> one = Endpoint.of(address);
        Optional<Endpoint> other = Endpoint.of(endpoint);
        return one.isPresent() && other.isPresent() && isSame(one.get(), other.get());
    }

    private static boolean isSame(Endpoint named, Endpoint endpoint) {
        return named.secure() == endpoint.secure()
                && named.port() == endpoint.port()
                && withoutSlash(named.target()).equals(withoutSlash(endpoint.target()))
                && (isUnspecified(named.host()) || isSame(named.host(), endpoint.host()));
    }

    private static boolean isSame(Host one, Host other) {
        return one instanceof Host.Literal literal && other instanceof Host.Literal address
                ? literal.address().equals(address.address())
                : one.equals(other);
    }

    private static boolean isUnspecified(Host host) {
        return host instanceof Host.Literal literal && literal.address().kind() == AddressKind.UNSPECIFIED;
    }

    /**
     * Returns the URL for calls of an agent. If the card names the address to which the agent binds, the URL has the host that serves the card.
     *
     * @param cardUrl the URL of the card; empty if the card was embedded
     */
    public static String called(String address, String cardUrl) {
        Optional<Endpoint> named = Endpoint.of(address).filter(endpoint -> isUnspecified(endpoint.host()));
        Optional<Endpoint> card = Endpoint.of(cardUrl);
        return named.isPresent() && card.isPresent()
                ? text(new Endpoint(
                        named.get().secure(),
                        card.get().host(),
                        named.get().port(),
                        named.get().target()))
                : address;
    }

    /** Returns the addresses of a card in words for operators: at most three, without queries, which may contain secrets. */
    public static String shown(Collection<String> addresses) {
        List<String> all = addresses.stream().map(CardAddress::shown).distinct().toList();
        String some = all.stream().limit(MAX_SHOWN).collect(Collectors.joining(", "));
        return all.isEmpty()
                ? "no address"
                : all.size() > MAX_SHOWN ? some + " and " + (all.size() - MAX_SHOWN) + " more" : some;
    }

    private static String shown(String address) {
        String text = Endpoint.of(address)
                .map(CardAddress::text)
                .map(url -> url.replaceFirst("\\?.*", ""))
                .orElse("an invalid address");
        return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "…" : text;
    }

    private static String text(Endpoint endpoint) {
        return (endpoint.secure() ? "https://" : "http://") + endpoint.authority() + endpoint.target();
    }

    private static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }
}
