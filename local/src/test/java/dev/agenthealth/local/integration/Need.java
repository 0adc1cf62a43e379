package dev.agenthealth.local.integration;

import java.util.Optional;
import org.testcontainers.DockerClientFactory;

/** The needs of a class of tests. */
enum Need {
    DOCKER("no Docker here") {
        @Override
        boolean isMet() {
            return DockerClientFactory.instance().isDockerAvailable();
        }
    },
    ENDPOINT("AWS_ENDPOINT_URL is not set") {
        @Override
        boolean isMet() {
            return isSet(Clients.ENDPOINT_VARIABLE);
        }
    },
    STACK("AWS_ENDPOINT_URL, AGENT_HEALTH_STACK and AGENT_HEALTH_ADMIN_KEY are not all set") {
        @Override
        boolean isMet() {
            return isSet(Clients.ENDPOINT_VARIABLE) && isSet("AGENT_HEALTH_STACK") && isSet("AGENT_HEALTH_ADMIN_KEY");
        }
    };

    private final String complaint;

    Need(String complaint) {
        this.complaint = complaint;
    }

    abstract boolean isMet();

    /** The message where it is not met. */
    String complaint() {
        return complaint;
    }

    /** The need of a class of tests where it has one that is not met. */
    static Optional<Need> unmetBy(Class<?> tests) {
        return Optional.ofNullable(tests.getAnnotation(Needs.class))
                .map(Needs::value)
                .filter(need -> !need.isMet());
    }

    private static boolean isSet(String variable) {
        return !System.getenv().getOrDefault(variable, "").isEmpty();
    }
}
