package dev.agenthealth.spring;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if {@code agent-health.url} is not empty. {@code ${AGENT_HEALTH_URL:}} may resolve to an empty value. */
final class UrlIsSet extends SpringBootCondition {

    private static final String PROPERTY = "agent-health.url";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean set = !context.getEnvironment().getProperty(PROPERTY, "").isBlank();
        ConditionMessage.Builder message = ConditionMessage.forCondition(PROPERTY);
        return set
                ? ConditionOutcome.match(message.because("it is set"))
                : ConditionOutcome.noMatch(message.because("it is not set"));
    }
}
