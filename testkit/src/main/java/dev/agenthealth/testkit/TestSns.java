package dev.agenthealth.testkit;

import dev.agenthealth.emulator.http.AwsService;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.sns.SnsClient;

/** The two operations of SNS that e-mail needs. An address gets messages after it has confirmed its subscription. Thread-safe. */
public final class TestSns implements AutoCloseable, AwsService {

    public static final String SUBSCRIBE = "Subscribe";
    public static final String PUBLISH = "Publish";

    private final LazyService emulated = new LazyService(this);
    private final Set<String> confirmed = new HashSet<>();
    private SnsClient client;

    /** A client that makes up to 3 attempts, without a pause between them. */
    public synchronized SnsClient client() {
        if (client == null) {
            client = emulated.endpoint()
                    .configured(SnsClient.builder())
                    .httpClientBuilder(UrlConnectionHttpClient.builder())
                    .build();
        }
        return client;
    }

    /** The owner of the address follows the link of the confirmation message. */
    public synchronized void confirm(String address) {
        confirmed.add(address);
    }

    /** The parameters of each request of an operation, retries included, oldest first. */
    public List<Map<String, String>> requests(String operation) {
        return emulated.calls().of(operation).stream().map(TestSns::parameters).toList();
    }

    /** Answers the next request of an operation with an error. */
    public void fail(String operation, int status, String error) {
        emulated.calls()
                .answerNext(
                        operation,
                        request -> xml(
                                status,
                                "<ErrorResponse><Error><Type>Sender</Type><Code>" + error
                                        + "</Code><Message>no</Message></Error></ErrorResponse>"));
    }

    @Override
    public Optional<String> operation(RawRequest request) {
        return Optional.ofNullable(parameters(request).get("Action"));
    }

    @Override
    public synchronized RawResponse answer(RawRequest request) {
        Map<String, String> parameters = parameters(request);
        if (parameters.get("Action").equals(PUBLISH)) {
            return xml(200, result(PUBLISH, "<MessageId>1</MessageId>"));
        }
        String arn = confirmed.contains(parameters.get("Endpoint"))
                ? parameters.get("TopicArn") + ":subscription"
                : "pending confirmation";
        return xml(200, result(SUBSCRIBE, "<SubscriptionArn>" + arn + "</SubscriptionArn>"));
    }

    private static String result(String operation, String content) {
        return "<" + operation + "Response><" + operation + "Result>" + content + "</" + operation + "Result></"
                + operation + "Response>";
    }

    private static RawResponse xml(int status, String text) {
        return RawResponse.of(status, "text/xml", text.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, String> parameters(RawRequest request) {
        Map<String, String> parameters = new TreeMap<>();
        for (String pair : new String(request.body(), StandardCharsets.UTF_8).split("&")) {
            String[] parts = pair.split("=", 2);
            if (parts.length == 2) {
                parameters.put(decoded(parts[0]), decoded(parts[1]));
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        emulated.close();
    }
}
