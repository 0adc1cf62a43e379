package dev.agenthealth.functions.schedules;

/**
 * An operation of a schedule.
 *
 * @param agent 0 or 1
 * @param scope 0 or 1, where the operation is about a lease: the last one of that scope when the schedule begins
 */
record Act(Kind kind, int agent, int scope) {

    /** The kinds of operations; all requests of an agent come with the first secret of its key. */
    enum Kind {
        REGISTER,
        REPLACE,
        /** From another instance than the other registrations. */
        REPLACE_ELSEWHERE,
        HEARTBEAT,
        HEARTBEAT_BUSY,
        HEARTBEAT_IDLE,
        HEARTBEAT_DRAINING,
        /** Names the first incarnation. */
        HEARTBEAT_OF_FIRST,
        SIGN_BY_PROBE,
        SIGN_BY_PING,
        DRAIN,
        DRAIN_BY_OPERATOR,
        DEREGISTER,
        ACQUIRE,
        RENEW,
        RELEASE,
        REVOKE,
        VERIFY,
        SHOW,
        COMMAND,
        WITHDRAW,
        BLOCK,
        UNBLOCK,
        ROTATE_KEY,
        REVOKE_KEY,
        SILENCE,
        END_SILENCE,
        SWEEP,
        SWEEP_LEASES;

        boolean isOfLease() {
            return this == RENEW || this == RELEASE || this == REVOKE || this == VERIFY || this == SHOW;
        }

        boolean hasScope() {
            return isOfLease() || this == ACQUIRE;
        }

        boolean hasAgent() {
            return ordinal() < ROTATE_KEY.ordinal() && !isOfLease() || this == SWEEP;
        }

        boolean isHeartbeat() {
            return name().startsWith("HEARTBEAT");
        }
    }

    @Override
    public String toString() {
        return kind + (kind.hasAgent() ? " a" + agent : "") + (kind.hasScope() ? " s" + scope : "");
    }
}
