package dev.agenthealth.model.registry.telemetry;

/** The reason for which a log record is not used. */
public enum EvaluationRejection {
    OTHER_EVENT("are no event gen_ai.evaluation.result"),
    NO_TRACE("have no valid trace id, or a span id that is not valid"),
    NO_TIME("have no time"),
    INVALID_NAME("have no gen_ai.evaluation.name of 1 to 128 characters without control characters"),
    NO_RESULT("report an error of the evaluation instead of a result"),
    NO_QUALITY("have neither a known gen_ai.evaluation.score.label nor a gen_ai.evaluation.score.value from 0 to 1"),
    TOO_OLD("are older than two measurement windows"),
    IN_FUTURE("are more than 5 minutes ahead of the clock of the registry"),
    UNKNOWN_EXECUTION("belong to no execution and no agent of this key"),
    SEVERAL_AGENTS("belong to a trace with executions of several agents, and name none of their spans"),
    TOO_MANY_AGENTS("are of more than the first 1,000 agents and traces of the request");

    private final String reason;

    EvaluationRejection(String reason) {
        this.reason = reason;
    }

    /** Returns the reason as the end of a sentence. */
    public String reason() {
        return reason;
    }
}
