package dev.agenthealth.functions.faults;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.AwsRequest;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResponse;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResultEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/**
 * Clients of AWS services for one instance of a function: every call may be its last, and while faults are on, any may fail. Those of DynamoDB
 * come from {@link dev.agenthealth.testkit.RandomTroubles} beneath. Thread-safe.
 */
final class FaultyClients {

    private final Random random;
    private final Hits hits;
    private volatile double rate;

    FaultyClients(long seed, Hits hits) {
        this.random = new Random(seed);
        this.hits = hits;
    }

    /** @param each the probability of each fault for a call; 0 for none */
    void setRate(double each) {
        rate = each;
    }

    /** The client as an instance uses it. */
    <C> Supplier<C> of(Class<C> type, Supplier<C> real, Instance instance) {
        return () -> {
            C client = real.get();
            InvocationHandler handler = (proxy, method, arguments) -> {
                boolean isOperation = arguments != null
                        && arguments.length == 1
                        && arguments[0] instanceof AwsRequest
                        && !method.getName().endsWith("Paginator");
                if (isOperation) {
                    return call(method, client, arguments[0], instance);
                }
                return method.isDefault() && !method.getName().equals("close")
                        ? InvocationHandler.invokeDefault(proxy, method, arguments)
                        : invoke(method, client, arguments);
            };
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
        };
    }

    private Object call(Method method, Object client, Object request, Instance instance) throws Throwable {
        if (!instance.isReady()) {
            return invoke(method, client, request);
        }
        instance.call();
        if (method.getDeclaringClass().getSimpleName().equals("DynamoDbClient")) {
            return current.during(instance, () -> invoke(method, client, request));
        }
        String operation = method.getName();
        if (happens("refused", instance, operation)) {
            throw refused();
        }
        if (happens("request lost", instance, operation)) {
            throw ApiCallTimeoutException.create(3_000);
        }
        Object answer = request instanceof PutEventsRequest entries
                        && entries.entries().size() > 1
                        && happens("part refused", instance, operation)
                ? someOf(method, client, entries)
                : request instanceof DeleteMessageBatchRequest batch && happens("part refused", instance, operation)
                        ? invoke(
                                method,
                                client,
                                batch.toBuilder()
                                        .entries(batch.entries()
                                                .subList(0, batch.entries().size() / 2 + 1))
                                        .build())
                        : invoke(method, client, request);
        if (operation.equals("sendMessage") && happens("sent twice", instance, operation)) {
            invoke(method, client, request);
        }
        if (happens("answer lost", instance, operation)) {
            throw ApiCallTimeoutException.create(3_000);
        }
        return answer instanceof ReceiveMessageResponse received
                        && received.messages().size() > 1
                        && happens("reordered", instance, operation)
                ? shuffled(received)
                : answer;
    }

    private Object shuffled(ReceiveMessageResponse received) {
        List<Message> messages = new ArrayList<>(received.messages());
        synchronized (random) {
            Collections.shuffle(messages, random);
        }
        return received.toBuilder().messages(messages).build();
    }

    /** Some of the events reach the bus, in any order of success and failure. */
    private Object someOf(Method method, Object client, PutEventsRequest request) throws Throwable {
        List<PutEventsResultEntry> results = new ArrayList<>();
        for (var entry : request.entries()) {
            boolean accepted;
            synchronized (random) {
                accepted = random.nextBoolean();
            }
            results.add(
                    accepted
                            ? ((PutEventsResponse) invoke(
                                            method,
                                            client,
                                            request.toBuilder().entries(entry).build()))
                                    .entries()
                                    .get(0)
                            : PutEventsResultEntry.builder()
                                    .errorCode("InternalFailure")
                                    .errorMessage("not accepted")
                                    .build());
        }
        long failed =
                results.stream().filter(result -> result.errorCode() != null).count();
        return PutEventsResponse.builder()
                .entries(results)
                .failedEntryCount((int) failed)
                .build();
    }

    private SdkException refused() {
        boolean throttled;
        synchronized (random) {
            throttled = random.nextBoolean();
        }
        String code = throttled ? "ThrottlingException" : "InternalFailure";
        return AwsServiceException.builder()
                .message(code)
                .statusCode(throttled ? 429 : 500)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode(code)
                        .serviceName("AWS")
                        .build())
                .build();
    }

    private boolean happens(String kind, Instance instance, String operation) {
        boolean happens;
        synchronized (random) {
            happens = rate > 0 && random.nextDouble() < rate;
        }
        if (happens) {
            hits.add(kind, instance.function(), operation);
        }
        return happens;
    }

    private static Object invoke(Method method, Object target, Object... arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** The instance whose call is in progress on a thread. */
    static final class Current {

        private final ThreadLocal<Instance> instances = new ThreadLocal<>();

        /** A call. */
        interface Call {
            Object make() throws Throwable;
        }

        Object during(Instance instance, Call call) throws Throwable {
            instances.set(instance);
            try {
                return call.make();
            } finally {
                instances.remove();
            }
        }

        String function() {
            return Optional.ofNullable(instances.get()).map(Instance::function).orElse("none");
        }
    }

    private final Current current = new Current();

    Current current() {
        return current;
    }
}
