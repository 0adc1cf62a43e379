package dev.agenthealth.functions.operations.notification.channel;

import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestSns;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sns.model.InvalidParameterException;
import software.amazon.awssdk.services.sns.model.SnsException;

/**
 * What the contract of channels needs to know of one of them. Texts in JSON are in single quotes, and {@code RECEIVER} stands for the receiver's
 * host and port.
 *
 * @param type of the channel
 * @param receiver makes one that accepts messages; the caller closes it
 * @param target the fields of a target that has all of them
 * @param withoutSecrets the fields that another write of the rule has to repeat
 * @param moved the fields of another address, without credentials
 * @param credentials the names of the fields that have to be given with another address
 * @param shown what answers show of the target, besides its type
 * @param secrets parts of the target that no answer and no stored item shows
 * @param faults fields of wrong targets, with the names of those that are wrong
 * @param check asserts that the receiver accepts what was sent, with the signature where it is signed
 */
public record ChannelCase(
        String type,
        Supplier<Receiver> receiver,
        String target,
        String withoutSecrets,
        String moved,
        List<String> credentials,
        String shown,
        List<String> secrets,
        Map<String, List<String>> faults,
        Consumer<Sent> check) {

    /** What a receiver got: the headers of a request, or the subject of an e-mail. */
    public record Sent(Map<String, String> headers, String body) {}

    /** A receiver of messages. */
    public interface Receiver extends AutoCloseable {

        /** Fails so that a retry may succeed. */
        void failForNow();

        /** Fails so that no retry succeeds. */
        void refuse();

        List<Sent> sent();

        /** Its host and port. */
        default String authority() {
            return "none";
        }

        /** The wiring of a function that can reach the receiver. */
        Wiring wiring(Wiring usual);

        @Override
        void close();
    }

    @Override
    public String toString() {
        return type;
    }

    /** A receiver of HTTP requests on the loopback address, which local runs may call. */
    static Receiver http() {
        ScriptedServer server = ScriptedServer.http();
        return new Receiver() {
            @Override
            public void failForNow() {
                server.plays(Script.status(503));
            }

            @Override
            public void refuse() {
                server.plays(Script.status(302));
            }

            @Override
            public List<Sent> sent() {
                return server.requests().stream()
                        .map(request -> new Sent(request.headers(), request.body()))
                        .toList();
            }

            @Override
            public String authority() {
                return "127.0.0.1:" + server.port();
            }

            @Override
            public Wiring wiring(Wiring usual) {
                return with(usual, "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true", new TestSns());
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }

    /** Amazon SNS with an address that has confirmed its subscription. */
    static Receiver sns(String address) {
        TestSns sns = new TestSns();
        sns.confirm(address);
        return new Receiver() {
            @Override
            public void failForNow() {
                sns.failMessage(SnsException.builder().build());
            }

            @Override
            public void refuse() {
                sns.failSubscription(InvalidParameterException.builder().build());
            }

            @Override
            public List<Sent> sent() {
                return sns.messages().stream()
                        .map(request -> new Sent(Map.of("subject", request.subject()), request.message()))
                        .toList();
            }

            @Override
            public Wiring wiring(Wiring usual) {
                return with(usual, "NOTIFICATION_TOPIC_ARN", "arn:aws:sns:us-east-1:000000000000:notifications", sns);
            }

            @Override
            public void close() {}
        };
    }

    private static Wiring with(Wiring usual, String variable, String value, TestSns sns) {
        return usual.toBuilder()
                .environment(Map.of(variable, value))
                .sns(sns::client)
                .build();
    }
}
