package dev.agenthealth.model.event;

import dev.agenthealth.model.WireNamed;

/** The severity of an event, in the words of PagerDuty; the most severe first. */
public enum Severity implements WireNamed {
    CRITICAL,
    ERROR,
    WARNING,
    INFO;
}
