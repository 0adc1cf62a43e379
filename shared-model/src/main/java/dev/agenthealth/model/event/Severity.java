package dev.agenthealth.model.event;

import dev.agenthealth.model.WireNamed;

/** The severity of an event, in PagerDuty's terms, the most severe first. */
public enum Severity implements WireNamed {
    CRITICAL,
    ERROR,
    WARNING,
    INFO;
}
