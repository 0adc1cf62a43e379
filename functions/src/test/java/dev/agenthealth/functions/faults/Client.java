package dev.agenthealth.functions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A client that repeats its request as long as nothing or a passing error answers, and checks that each answer is one of those documented. */
final class Client {

    private static final int MAX_ATTEMPTS = 60;

    private final FaultySystem system;
    private final Hits hits;

    Client(FaultySystem system, Hits hits) {
        this.system = system;
        this.hits = hits;
    }

    /** An answer, and whether the request was sent before. */
    record Answer(TestApi.Response response, boolean repeated) {}

    /** Sends a request that is answered with one status until it is. */
    Answer send(
            String method,
            String path,
            int expected,
            Set<Integer> whenRepeated,
            Function<TestApi.Request, TestApi.Request> with) {
        return send(method, path, Set.of(expected), whenRepeated, with);
    }

    /**
     * Sends a request until it is answered.
     *
     * @param expected the statuses of an answer
     * @param whenRepeated further statuses of a request that was sent before: the first one may have been applied
     */
    Answer send(
            String method,
            String path,
            Set<Integer> expected,
            Set<Integer> whenRepeated,
            Function<TestApi.Request, TestApi.Request> with) {
        List<String> before = new ArrayList<>();
        while (before.size() < MAX_ATTEMPTS) {
            var answer = system.request(method, path, with);
            if (answer.isEmpty()) {
                before.add("killed");
            } else {
                TestApi.Response response = answer.get();
                int status = response.status();
                if (expected.contains(status) || !before.isEmpty() && whenRepeated.contains(status)) {
                    return new Answer(response, !before.isEmpty());
                }
                assertThat(status)
                        .as("%s %s after %s: %s", method, path, before, response.text())
                        .isIn(503, 429);
                assertThat(system.hasFaults()).as(path + " " + response.text()).isTrue();
                assertThat(response.header("Retry-After"))
                        .as("Retry-After of %s %s: %s", method, path, response.text())
                        .matches("[1-9][0-9]*");
                assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
                hits.add("answered " + status, "client", method + " " + path.split("/")[2]);
                before.add(status + " " + response.json().path("error").asText());
            }
            system.clock().advanceSeconds(1);
        }
        throw new AssertionError(method + " " + path + " was not answered: " + before);
    }
}
