package dev.agenthealth.local.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentEnd;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.ConflictException;
import dev.agenthealth.client.DeathPolicy;
import dev.agenthealth.client.ErrorType;
import dev.agenthealth.client.ForbiddenException;
import dev.agenthealth.client.HeldLease;
import dev.agenthealth.client.ManagedAgent;
import dev.agenthealth.client.NotFoundException;
import dev.agenthealth.client.Outcome;
import dev.agenthealth.client.ProblemException;
import dev.agenthealth.client.Registration;
import dev.agenthealth.client.RunningTask;
import dev.agenthealth.client.UnauthenticatedException;
import dev.agenthealth.client.UnexpectedAnswerException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** One scenario of {@code clients/scenarios}, step by step, with the Java client. */
final class ScenarioRun {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final ScenarioFake fake;
    private final JsonNode loaded;
    private final AgentHealthClient client;
    private final Map<String, RunningTask> tasks = new HashMap<>();
    private final Map<String, List<String>> callbacks = new ConcurrentHashMap<>();
    private final AtomicReference<AgentEnd> end = new AtomicReference<>();
    private ManagedAgent agent;
    private HeldLease lease;

    private ScenarioRun(ScenarioFake fake, JsonNode loaded) {
        this.fake = fake;
        this.loaded = loaded;
        client = AgentHealthClient.builder(loaded.path("url").asText())
                .apiKey(loaded.path("key").asText())
                .drainOnShutdown(false)
                .build();
    }

    /** Runs it. Returns false where it is not for this registry; throws where the client does something else. */
    static boolean of(ScenarioFake fake, String name) throws Exception {
        JsonNode loaded = fake.load(name);
        if (loaded.path("steps").isEmpty()) {
            return false;
        }
        ScenarioRun run = new ScenarioRun(fake, loaded);
        try {
            for (JsonNode step : loaded.path("steps")) {
                run.step(step);
            }
            assertThat(fake.verdict(loaded)).isEmpty();
        } finally {
            if (run.agent != null) {
                run.agent.close();
            }
        }
        return true;
    }

    private void step(JsonNode step) throws Exception {
        if (step.has("raises")) {
            Class<?> expected = errors(step.path("raises").asText());
            assertThatThrownBy(() -> act(step)).isInstanceOfSatisfying(RuntimeException.class, error -> {
                assertThat(error).isInstanceOf(expected);
                if (step.path("raises").asText().equals("lease_held")) {
                    assertThat(((ConflictException) error).code()).isEqualTo("lease_held");
                }
                if (step.has("field")) {
                    assertThat(((ProblemException) error).errors())
                            .extracting(one -> one.field())
                            .containsExactly(step.path("field").asText());
                }
            });
        } else {
            act(step);
        }
    }

    private static Class<?> errors(String name) {
        return switch (name) {
            case "forbidden" -> ForbiddenException.class;
            case "invalid_request" -> ProblemException.class;
            case "lease_held" -> ConflictException.class;
            case "not_found" -> NotFoundException.class;
            case "unauthenticated" -> UnauthenticatedException.class;
            case "unexpected_answer" -> UnexpectedAnswerException.class;
            default -> throw new AssertionError("unknown error " + name);
        };
    }

    private void act(JsonNode step) throws IOException, InterruptedException {
        switch (step.path("do").asText()) {
            case "start" -> start();
            case "close" -> agent.close();
            case "drain" -> agent.drain(step.path("reason").asText());
            case "outcome" -> agent.record(outcome(step));
            case "begin" ->
                tasks.put(
                        step.path("task").asText(),
                        agent.begin(step.path("task").asText()));
            case "end" -> end(step);
            case "lease" ->
                lease = agent.lease(
                                step.path("intent").asText(), step.path("scope").asText())
                        .duration(Duration.ofSeconds(step.path("seconds").asLong()))
                        .onLost(lost -> called("lost", lost.scope()))
                        .acquire();
            case "release" -> lease.close();
            case "document" ->
                assertThat(client.health()
                                .document(step.path("agent").asText())
                                .path("agent_id")
                                .asText())
                        .isEqualTo(step.path("expect").path("agent_id").asText());
            case "score" -> client.health().score(step.path("agent").asText());
            case "invoke" ->
                client.invoke(step.path("agent").asText())
                        .message(step.path("message").asText())
                        .call();
            case "pause" -> Thread.sleep((long) (step.path("seconds").asDouble() * 1000));
            case "await_state" ->
                until(step, () -> state().equals(step.path("state").asText()));
            case "await_callback" -> callback(step);
            case "expect_state" ->
                assertThat(state()).isEqualTo(step.path("state").asText());
            case "expect_error" -> error(step);
            case "expect_lease" ->
                assertThat(lease.isHeld()).isEqualTo(step.path("held").asBoolean());
            default -> {
                JsonNode failure = fake.step(loaded, step);
                assertThat(failure.isNull()).as(failure.asText()).isTrue();
            }
        }
    }

    private void start() {
        Registration registration =
                Registration.of(loaded.path("agent").path("agent_id").asText());
        for (Map.Entry<String, JsonNode> field : loaded.path("agent").properties()) {
            registration = registration.with(field.getKey(), field.getValue());
        }
        agent = client.agent(registration)
                .onDrain(drain -> called("drain", drain.reason()))
                .onDead(death -> called("dead", ""))
                .onEnd(end::set)
                .deathPolicy(policy())
                .closeTimeout(Duration.ofSeconds(2))
                .start();
    }

    private DeathPolicy policy() {
        return loaded.path("options").path("register_again").asText().equals("always")
                ? DeathPolicy.ALWAYS_REGISTER_AGAIN
                : DeathPolicy.REGISTER_AGAIN;
    }

    private void called(String callback, String detail) {
        callbacks
                .computeIfAbsent(callback, name -> new CopyOnWriteArrayList<>())
                .add(detail);
    }

    private static Outcome outcome(JsonNode step) {
        Outcome outcome =
                step.path("result").asText().equals("success") ? Outcome.success() : Outcome.failure(errorType(step));
        return outcome.latency(Duration.ofMillis(step.path("latency_ms").asLong()));
    }

    private static ErrorType errorType(JsonNode step) {
        return ErrorType.valueOf(step.path("error_type").asText().toUpperCase(Locale.ROOT));
    }

    private void end(JsonNode step) {
        RunningTask task = tasks.remove(step.path("task").asText());
        if (step.has("error_type")) {
            task.failed(errorType(step));
        } else {
            task.succeeded();
        }
    }

    private void callback(JsonNode step) throws InterruptedException {
        String name = step.path("callback").asText();
        until(step, () -> callbacks.containsKey(name));
        if (step.has("reason")) {
            assertThat(callbacks.get(name)).contains(step.path("reason").asText());
        }
    }

    private void error(JsonNode step) throws InterruptedException {
        if (step.has("error")) {
            assertThat(agent.lastFailure())
                    .containsInstanceOf(errors(step.path("error").asText()));
        } else {
            until(step, () -> agent.lastFailure().isEmpty());
        }
    }

    private String state() {
        return switch (agent.state()) {
            case REGISTERING -> "starting";
            case ACTIVE -> "active";
            case DRAINING -> "draining";
            case ENDED -> end.get() == AgentEnd.SUPERSEDED ? "superseded" : "stopped";
        };
    }

    private void until(JsonNode step, BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("waited for " + step + ", the state is " + state())
                    .isLessThan(until);
            Thread.sleep(LOOK.toMillis());
        }
    }
}
