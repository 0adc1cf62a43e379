package dev.agenthealth.model.registry.lifecycle;

/**
 * The numbers that order the changes of an agent.
 *
 * @param incarnation the number of this registration of the id, from 1
 * @param version a number that rises with every status or profile change, from 1 at each registration (RFC-0016 §1.1)
 * @param sequence the number of the agent's last event; it never restarts
 */
public record PulseNumbers(long incarnation, long version, long sequence) {

    PulseNumbers nextIncarnation() {
        return new PulseNumbers(incarnation + 1, 1, sequence + 1);
    }

    PulseNumbers nextVersion() {
        return new PulseNumbers(incarnation, version + 1, sequence);
    }

    PulseNumbers nextEvent() {
        return new PulseNumbers(incarnation, version, sequence + 1);
    }
}
