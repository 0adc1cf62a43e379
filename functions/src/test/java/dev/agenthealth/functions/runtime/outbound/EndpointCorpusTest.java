package dev.agenthealth.functions.runtime.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.EndpointRule;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A corpus of endpoints, most of them hostile, with the expected verdict. */
@Tag("SN-07")
class EndpointCorpusTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /**
     * A line of the corpus.
     *
     * @param addresses the addresses of the name; {@code -} where it must not be resolved, {@code none} where it has none
     */
    record Case(String endpoint, String addresses, String deployed, String local) {

        @Override
        public String toString() {
            return endpoint + " (" + addresses + ")";
        }
    }

    static Stream<Case> corpus() throws IOException {
        try (InputStream in = EndpointCorpusTest.class.getResourceAsStream("/endpoints.tsv")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.isBlank() && !line.startsWith("#"))
                            .map(line -> line.split("\t", -1))
                            .map(fields -> new Case(fields[0], fields[1], fields[2], fields[3]))
                            .toList()
                            .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void only_allowed_endpoints_are_called(Case known) {
        assertThat(verdict(known, false)).as("deployed").isEqualTo(known.deployed());
        assertThat(verdict(known, true)).as("local").isEqualTo(known.local());
    }

    @Test
    void the_corpus_holds_at_least_60_hostile_endpoints() throws IOException {
        assertThat(corpus().filter(known -> !known.deployed().equals("allowed")))
                .hasSizeGreaterThan(60);
        assertThat(corpus()).doesNotHaveDuplicates();
    }

    private static String verdict(Case known, boolean loopbackAllowed) {
        Optional<Endpoint> endpoint = Endpoint.of(known.endpoint());
        if (endpoint.isEmpty()) {
            return "malformed";
        }
        AtomicInteger asked = new AtomicInteger();
        AddressCheck check = new AddressCheck(new EndpointRule(loopbackAllowed), host -> {
            asked.incrementAndGet();
            return resolved(known.addresses());
        });
        Object destination;
        try {
            destination = check.destination(endpoint.get(), TIMEOUT);
        } catch (CallFailedException e) {
            destination = e.reason();
        }
        assertThat(asked.get())
                .as("a name is resolved at most once, and an address never")
                .isLessThanOrEqualTo(known.addresses().equals("-") ? 0 : 1);
        if (destination instanceof Destination checked) {
            if (!known.addresses().equals("-")) {
                assertThat(checked.addresses()).hasSameElementsAs(resolved(known.addresses()));
            }
            return "allowed";
        }
        if (destination == InvocationFailure.UNKNOWN_HOST) {
            return "unknown";
        }
        assertThat(destination).isEqualTo(InvocationFailure.ENDPOINT_NOT_ALLOWED);
        // A caller sees only that the call is forbidden; the rule has the reason.
        return !endpoint.get().secure() ? "insecure" : "forbidden";
    }

    private static List<InetAddress> resolved(String addresses) {
        if (addresses.equals("none")) {
            return List.of();
        }
        List<InetAddress> found = new ArrayList<>();
        Arrays.stream(addresses.split(",")).forEach(text -> {
            try {
                found.add(InetAddress.getByName(text));
            } catch (UnknownHostException e) {
                throw new AssertionError(e);
            }
        });
        return found;
    }
}
