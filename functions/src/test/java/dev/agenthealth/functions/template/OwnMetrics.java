package dev.agenthealth.functions.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.runtime.observation.Metric;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The functions' metrics, as the dashboard and the alarms refer to them. */
final class OwnMetrics {

    private OwnMetrics() {}

    /** The metric of this name, which must exist and have exactly these dimensions. */
    static Metric checked(String name, Set<String> dimensions) {
        Optional<Metric> metric = Arrays.stream(Metric.values())
                .filter(m -> m.wireName().equals(name))
                .findFirst();
        assertThat(metric).as("metric " + name).isPresent();
        Set<String> expected = new HashSet<>(Set.of(Metric.STACK));
        metric.orElseThrow().dimension().ifPresent(expected::add);
        assertThat(dimensions).as("dimensions of " + name).isEqualTo(expected);
        return metric.orElseThrow();
    }
}
