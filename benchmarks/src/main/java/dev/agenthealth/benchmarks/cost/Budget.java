package dev.agenthealth.benchmarks.cost;

/**
 * What one deed takes. All numbers are 0 or more; they are means where a deed differs from time to time.
 *
 * @param pulsesReadUnits of the pulses table and its index
 * @param pulsesWriteUnits of the same
 * @param registryReadUnits of the registry table and its indexes
 * @param registryWriteUnits of the same
 * @param requestBytes of the body that comes in; 0 where nobody asks
 * @param responseBytes of headers and body that go out; 0 where nobody asks
 * @param logBytes that the function writes to its log, metrics included
 * @param storedBytes that are left in both tables, indexes included
 * @param events that it leaves to be sent to the bus
 * @param eventBytes of an event on the bus; 0 for everything but the sending
 */
public record Budget(
        double pulsesReadUnits,
        double pulsesWriteUnits,
        double registryReadUnits,
        double registryWriteUnits,
        double requestBytes,
        double responseBytes,
        double logBytes,
        double storedBytes,
        double events,
        double eventBytes) {

    /** This much more of the other: {@code this + factor * other}. */
    public Budget plus(Budget other, double factor) {
        return new Budget(
                pulsesReadUnits + factor * other.pulsesReadUnits,
                pulsesWriteUnits + factor * other.pulsesWriteUnits,
                registryReadUnits + factor * other.registryReadUnits,
                registryWriteUnits + factor * other.registryWriteUnits,
                requestBytes + factor * other.requestBytes,
                responseBytes + factor * other.responseBytes,
                logBytes + factor * other.logBytes,
                storedBytes + factor * other.storedBytes,
                events + factor * other.events,
                eventBytes + factor * other.eventBytes);
    }
}
