package dev.agenthealth.functions.schedules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The lifecycle as the specification has it: agents, leases, a key and the audit log, and each operation as a sequence of atomic steps. It uses no code
 * of the product. Times are seconds; the agents have default thresholds, and one key owns them.
 */
final class LifecycleModel implements Cloneable {

    static final String NONE = "none";
    static final String ACTIVE = "active";
    static final String UNHEALTHY = "unhealthy";
    static final String DRAINING = "draining";
    static final String DEAD = "dead";
    static final String DEREGISTERED = "deregistered";

    static final String UNAUTHENTICATED = "401 unauthenticated";

    static final int AGENTS = 2;
    static final int SCOPES = 2;
    static final long INTERVAL = 30;
    static final long UNHEALTHY_AFTER = 90;
    static final long DEAD_AFTER = 300;
    static final long DRAIN_TIMEOUT = 120;
    static final long LEASE_SECONDS = 60;
    private static final long TAKEOVER_DELAY = 2;
    private static final long NEVER = Long.MAX_VALUE;
    private static final int NO_SECRET = -1;

    /** Seconds after which a sweep moves the row of an agent that is gone. */
    private static final int ARCHIVED_AFTER = 3_600;

    /** The place of a sweep that replaces an ended secret by the one whose number is added. */
    private static final int REPLACES_SECRET = 10;

    /** An agent; numbers that stay are those of the last incarnation. */
    static final class Agent implements Cloneable {
        String status = NONE;
        long since;
        int incarnation;
        int version;
        int sequence;
        long beats;
        long heardAt;
        int load;
        long deadline = NEVER;

        /** Heartbeats before the drain began, of an agent that did not ask for it; -1 otherwise. */
        long beatsBefore = -1;

        boolean commanded;
        boolean seenByOthers;
        boolean blocked;
        String instance = "";

        /** Which secret of the key the row has. */
        int secret;

        /** The last incarnation whose leases are to be ended, and the last one for each cause. */
        int through;

        int died;
        int left;
        int restarted;

        String events = "";

        /** Blocks and unblocks before the first registration, which are no events of the agent; how many of each. */
        String ahead = "";

        boolean isAlive() {
            return status.equals(ACTIVE) || status.equals(UNHEALTHY) || status.equals(DRAINING);
        }

        boolean takesWork() {
            return status.equals(ACTIVE) || status.equals(UNHEALTHY);
        }

        boolean isAsDecidedOn(Agent seen) {
            return incarnation == seen.incarnation
                    && version == seen.version
                    && status.equals(seen.status)
                    && sequence == seen.sequence
                    && beats == seen.beats;
        }

        Agent copy() {
            try {
                return (Agent) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public String toString() {
            return status.equals(NONE)
                    ? NONE + (blocked ? " blocked " : " ") + counted(ahead)
                    : status + " i" + incarnation + " v" + version + " n" + sequence + " beats " + beats + " heard "
                            + heardAt + " load " + load + " deadline " + (deadline == NEVER ? "-" : deadline)
                            + " before " + beatsBefore + (commanded ? " commanded" : "")
                            + (seenByOthers ? " seen" : "") + (blocked ? " blocked" : "") + " '" + instance
                            + "' secret " + Math.min(secret, 1) + ": " + events + counted(ahead);
        }

        /** All that later steps depend on. */
        String whole() {
            return this + " " + secret + " " + since + " " + through + "/" + died + "/" + left + "/" + restarted;
        }

        private static String counted(String ahead) {
            return ahead.isEmpty()
                    ? ""
                    : " " + ahead.chars().filter(c -> c == 'b').count() + "/" + ahead.length();
        }
    }

    /** A lease; those of a scope have rising tokens in the order of their granting. */
    static final class Lease implements Cloneable {
        int scope;
        int agent;
        int incarnation;
        long expiresAt;
        long endedAt = NEVER;
        String status = ACTIVE;
        String events = "acquired;";

        boolean isInForce(long now) {
            return status.equals(ACTIVE) && now < expiresAt;
        }

        void end(String newStatus, String reason, long now) {
            status = newStatus;
            endedAt = now;
            timedOut = reason.equals("timeout");
            events += newStatus + (reason.isEmpty() ? "" : " " + reason) + ";";
        }

        boolean timedOut;

        Lease copy() {
            try {
                return (Lease) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public String toString() {
            return "s" + scope + " of a" + agent + " i" + incarnation + " until " + expiresAt + ": " + events;
        }
    }

    long now;
    Agent[] agents = {new Agent(), new Agent()};
    List<Lease> leases = new ArrayList<>();
    List<String> audit = new ArrayList<>();

    /** Rises with each rotation of the key. */
    int secret;

    boolean revoked;
    boolean silenced;

    LifecycleModel copy() {
        try {
            LifecycleModel copy = (LifecycleModel) clone();
            copy.agents = new Agent[] {agents[0].copy(), agents[1].copy()};
            copy.leases = new ArrayList<>(leases.size());
            leases.forEach(lease -> copy.leases.add(lease.copy()));
            copy.audit = new ArrayList<>(audit);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return "a0 " + agents[0] + "\na1 " + agents[1] + "\n"
                + leases.stream().map(this::shown).sorted().collect(Collectors.joining("\n"))
                + "\nkey " + (revoked ? "revoked" : Math.min(secret, 1)) + (silenced ? " silenced" : "") + "\naudit "
                + audit.stream().sorted().collect(Collectors.joining(", "));
    }

    /** A marker without leases has no effect, and a registration may bring one back that a sweep removed. */
    private String shown(Lease lease) {
        Agent holder = agents[lease.agent];
        return lease.status.equals(ACTIVE) && lease.incarnation <= holder.through
                ? lease + " ends " + String.join(" ", end(lease, holder))
                : lease.toString();
    }

    /** All that later steps depend on. */
    String whole() {
        return this
                + agents[0].whole()
                + agents[1].whole()
                + leases.stream().map(lease -> " " + lease.endedAt).collect(Collectors.joining());
    }

    Optional<Lease> last(int scope) {
        Lease last = null;
        for (Lease lease : leases) {
            if (lease.scope == scope) {
                last = lease;
            }
        }
        return Optional.ofNullable(last);
    }

    private long count(int scope) {
        return leases.stream().filter(lease -> lease.scope == scope).count();
    }

    boolean holds(Lease lease) {
        Agent holder = agents[lease.agent];
        return holder.isAlive() && holder.incarnation == lease.incarnation;
    }

    private boolean holdsAny(int agent, int incarnation) {
        return leases.stream()
                .anyMatch(lease -> lease.agent == agent && lease.incarnation == incarnation && lease.isInForce(now));
    }

    /**
     * An operation under way.
     *
     * @param place how far it is
     * @param seen what it read before, which later steps rest on
     * @param lease the index of its lease, for one that is about a lease
     * @param answer empty until it is known
     * @param done whether nothing is left to do
     */
    record Progress(Act act, int place, Agent seen, int lease, boolean repeated, String answer, boolean done) {

        private Progress at(int next) {
            return new Progress(act, next, seen, lease, repeated, answer, false);
        }

        private Progress seeing(int next, Agent agent) {
            return new Progress(act, next, agent.copy(), lease, repeated, answer, false);
        }

        private Progress answering(String text) {
            return new Progress(act, place, seen, lease, repeated, text, false);
        }

        private Progress end() {
            return new Progress(act, place, seen, lease, repeated, answer, true);
        }

        private Progress ends(String text) {
            return answering(text).end();
        }

        /** The same operation, begun once more after its process ended or its client repeated it. */
        Progress again() {
            return new Progress(act, 0, new Agent(), lease, true, "", false);
        }

        @Override
        public String toString() {
            return act + " " + place + " " + seen.whole() + " " + lease + repeated + answer + done;
        }
    }

    /** Begins an operation in this state. */
    Progress begin(Act act) {
        int lease = -1;
        for (int i = 0; act.kind().isOfLease() && i < leases.size(); i++) {
            lease = leases.get(i).scope == act.scope() ? i : lease;
        }
        return new Progress(act, 0, new Agent(), lease, false, "", false);
    }

    /** Makes the next step of an operation, which changes this state. */
    Progress step(Progress progress) {
        Act act = progress.act();
        Agent agent = act.kind().isOfLease() ? agents[leases.get(progress.lease()).agent] : agents[act.agent()];
        boolean unknown = agent.status.equals(NONE) && act.kind().hasAgent();
        return switch (act.kind()) {
            case REGISTER, REPLACE, REPLACE_ELSEWHERE ->
                progress.place() == 0 ? register(progress, agent) : cleanUp(progress);
            case HEARTBEAT, HEARTBEAT_BUSY, HEARTBEAT_IDLE, HEARTBEAT_DRAINING, HEARTBEAT_OF_FIRST ->
                unknown
                        ? progress.ends("404 agent_not_found")
                        : progress.place() == 0 ? heartbeat(progress, agent) : completeAfterHeartbeat(progress, agent);
            case SIGN_BY_PROBE, SIGN_BY_PING -> progress.ends(sign(agent));
            case DRAIN, DRAIN_BY_OPERATOR ->
                progress.ends(unknown ? "404 agent_not_found" : drain(act.agent(), act.kind() == Act.Kind.DRAIN));
            case DEREGISTER ->
                unknown
                        ? progress.ends("404 agent_not_found")
                        : progress.place() == 0 ? deregister(progress, agent) : cleanUp(progress);
            case ACQUIRE -> unknown ? progress.ends("404 agent_not_found") : acquire(progress, agent);
            case RENEW -> progress.ends(renew(leases.get(progress.lease())));
            case RELEASE, REVOKE ->
                progress.place() == 0
                        ? end(progress, leases.get(progress.lease()))
                        : completeAfterRelease(progress, leases.get(progress.lease()), agent);
            case VERIFY -> progress.ends(verify(leases.get(progress.lease())));
            case SHOW -> progress.ends("200 " + status(leases.get(progress.lease())));
            case COMMAND, WITHDRAW ->
                progress.ends(unknown ? "404 agent_not_found" : command(act.agent(), act.kind() == Act.Kind.COMMAND));
            case BLOCK, UNBLOCK -> progress.ends(block(act.agent(), act.kind() == Act.Kind.BLOCK));
            case ROTATE_KEY, REVOKE_KEY -> progress.ends(key(act.kind() == Act.Kind.ROTATE_KEY));
            case SILENCE, END_SILENCE -> progress.ends(silence(act.kind() == Act.Kind.SILENCE));
            case SWEEP -> sweep(progress, agent);
            case SWEEP_LEASES -> sweepLeases(progress);
        };
    }

    private void enter(Agent agent, String status, String reason) {
        agent.events += agent.status + ">" + status + " " + reason + ";";
        agent.status = status;
        agent.since = now;
        agent.version++;
        agent.sequence++;
        agent.deadline = NEVER;
        agent.beatsBefore = -1;
        boolean gone = status.equals(DEAD) || status.equals(DEREGISTERED);
        if (gone || status.equals(DRAINING)) {
            agent.commanded = false;
        }
        if (gone && agent.incarnation > agent.through) {
            agent.through = agent.incarnation;
            if (status.equals(DEAD)) {
                agent.died = agent.incarnation;
            } else {
                agent.left = agent.incarnation;
            }
        }
    }

    private Progress register(Progress progress, Agent agent) {
        Act.Kind kind = progress.act().kind();
        String instance = kind == Act.Kind.REPLACE_ELSEWHERE ? "two" : "one";
        boolean replaces = false;
        Agent before = agent.copy();
        if (agent.isAlive()) {
            if (kind == Act.Kind.REGISTER) {
                return progress.ends("409 agent_exists");
            }
            if (!agent.instance.equals(instance) && !agent.seenByOthers && now < agent.heardAt + 2 * INTERVAL) {
                return progress.ends("409 agent_already_running");
            }
            replaces = true;
            enter(agent, DEREGISTERED, "deregistered");
            agent.through = agent.incarnation;
            agent.died = before.died;
            agent.left = before.left;
            agent.restarted = agent.incarnation;
        }
        boolean first = agent.status.equals(NONE);
        beginIncarnation(agent, first ? "registered" : "re_registered");
        agent.instance = instance;
        agent.secret = 0;
        audit.add("agent.registered a" + progress.act().agent() + " i" + before.incarnation + ">" + agent.incarnation);
        Progress answered = progress.answering("201 v1 i" + agent.incarnation);
        return replaces ? answered.seeing(1, agent).answering(answered.answer()) : answered.end();
    }

    private void beginIncarnation(Agent agent, String reason) {
        agent.events += (agent.status.equals(NONE) ? "registering" : agent.status) + ">active " + reason + ";";
        agent.status = ACTIVE;
        agent.since = now;
        agent.incarnation++;
        agent.version = 1;
        agent.sequence++;
        agent.beats = 0;
        agent.heardAt = now;
        agent.load = 0;
        agent.deadline = NEVER;
        agent.beatsBefore = -1;
        agent.commanded = false;
        agent.seenByOthers = false;
    }

    /** Ends the leases of the incarnations that were gone when the operation saw the agent. */
    private Progress cleanUp(Progress progress) {
        endLeases(progress.act().agent(), progress.seen());
        return progress.end();
    }

    private void endLeases(int agent, Agent seen) {
        for (Lease lease : leases) {
            if (lease.agent == agent && lease.incarnation <= seen.through && lease.status.equals(ACTIVE)) {
                endWithHolder(lease, seen);
            }
        }
    }

    private void endWithHolder(Lease lease, Agent holder) {
        String[] end = end(lease, holder);
        lease.end(end[0], end[1], now);
    }

    /** How a lease ends whose holder is gone, by the marker of the holder. */
    private static String[] end(Lease lease, Agent holder) {
        if (lease.expiresAt <= holder.since) {
            return new String[] {"expired", "timeout"};
        }
        int cause = NO_SECRET;
        for (int last : new int[] {holder.died, holder.left, holder.restarted}) {
            cause = last >= lease.incarnation && (cause < 0 || last < cause) ? last : cause;
        }
        if (cause == holder.died) {
            return new String[] {"expired", "agent_dead"};
        }
        return cause == holder.left
                ? new String[] {"released", "agent_deregistered"}
                : new String[] {"expired", "agent_restarted"};
    }

    private Progress heartbeat(Progress progress, Agent agent) {
        Act.Kind kind = progress.act().kind();
        if (agent.secret != 0) {
            if (revoked) {
                return progress.ends(UNAUTHENTICATED);
            }
            if (agent.secret == NO_SECRET) {
                agent.secret = secret;
            }
        }
        boolean drains = kind == Act.Kind.HEARTBEAT_DRAINING;
        if (kind == Act.Kind.HEARTBEAT_OF_FIRST && agent.incarnation != 1) {
            return progress.ends("410 superseded");
        }
        if (!agent.isAlive()) {
            return progress.ends("410 agent_gone");
        }
        agent.beats++;
        agent.heardAt = now;
        agent.seenByOthers = false;
        if (kind == Act.Kind.HEARTBEAT_BUSY) {
            agent.load = 1;
        } else if (kind == Act.Kind.HEARTBEAT_IDLE) {
            agent.load = 0;
        }
        if (agent.takesWork() && drains) {
            enter(agent, DRAINING, "drain_initiated");
            agent.deadline = now + DRAIN_TIMEOUT;
        } else if (agent.status.equals(UNHEALTHY)) {
            enter(agent, ACTIVE, "heartbeat_resumed");
        } else if (agent.status.equals(DRAINING)) {
            return progress.seeing(1, agent).answering(answer(agent));
        }
        return progress.ends(answer(agent));
    }

    private static String answer(Agent agent) {
        return "200 " + agent.status + " i" + agent.incarnation + (agent.commanded ? " drain" : "");
    }

    private Progress completeAfterHeartbeat(Progress progress, Agent agent) {
        Agent seen = progress.seen();
        boolean completes = seen.load <= 0
                && seen.beats - 1 > seen.beatsBefore
                && !holdsAny(progress.act().agent(), seen.incarnation)
                && agent.isAsDecidedOn(seen);
        if (!completes) {
            return progress.end();
        }
        enter(agent, DEREGISTERED, "drain_completed");
        return progress.ends(answer(agent));
    }

    private String sign(Agent agent) {
        if (agent.status.equals(NONE)) {
            return "UNKNOWN";
        }
        if (agent.status.equals(DEAD)) {
            beginIncarnation(agent, "re_registered");
            agent.seenByOthers = true;
            return "RECORDED";
        }
        if (!agent.isAlive()) {
            return "GONE";
        }
        if (agent.beats > 0 && !agent.status.equals(UNHEALTHY) && now < agent.heardAt + INTERVAL * 9 / 10) {
            return "TOO_EARLY";
        }
        agent.beats++;
        agent.heardAt = now;
        agent.seenByOthers = true;
        agent.beatsBefore += agent.beatsBefore < 0 ? 0 : 1;
        if (agent.status.equals(UNHEALTHY)) {
            enter(agent, ACTIVE, "heartbeat_resumed");
        }
        return "RECORDED";
    }

    private String drain(int number, boolean byAgent) {
        Agent agent = agents[number];
        if (agent.takesWork()) {
            String before = agent.status;
            enter(agent, DRAINING, "drain_initiated");
            agent.beatsBefore = byAgent ? -1 : agent.beats;
            audit.add("agent.status_changed a" + number + " " + before + ">" + DRAINING);
        } else if (agent.status.equals(DRAINING)) {
            agent.version++;
            agent.beatsBefore = byAgent ? -1 : agent.beatsBefore;
            if (agent.deadline != now + DRAIN_TIMEOUT) {
                audit.add("agent.status_changed a" + number);
            }
        } else {
            return "409 transition_not_allowed";
        }
        agent.deadline = now + DRAIN_TIMEOUT;
        return "200 draining v" + agent.version;
    }

    private Progress deregister(Progress progress, Agent agent) {
        if (agent.status.equals(DEREGISTERED)) {
            return progress.ends("204");
        }
        audit.add("agent.status_changed a" + progress.act().agent() + " " + agent.status + ">" + DEREGISTERED);
        enter(agent, DEREGISTERED, "deregistered");
        return progress.seeing(1, agent).answering("204");
    }

    private Progress acquire(Progress progress, Agent agent) {
        Act act = progress.act();
        Optional<Lease> last = last(act.scope());
        if (last.isPresent() && last.get().isInForce(now)) {
            Lease held = last.get();
            if (holds(held) && held.agent == act.agent()) {
                return progress.ends("200 " + (count(act.scope()) - 1));
            }
            if (agent.takesWork() && !holds(held)) {
                endWithHolder(held, agents[held.agent]);
                return progress.at(progress.place() + 1);
            }
        }
        if (!agent.takesWork()) {
            return progress.ends("409 agent_takes_no_work");
        }
        if (last.isPresent()) {
            Lease held = last.get();
            if (held.isInForce(now)) {
                return progress.ends("409 lease_held");
            }
            boolean ranOut = held.status.equals(ACTIVE) || held.timedOut;
            if (ranOut && held.agent != act.agent() && now < held.expiresAt + TAKEOVER_DELAY) {
                return progress.ends("409 lease_just_expired");
            }
            if (held.status.equals(ACTIVE)) {
                held.end("expired", "timeout", now);
            }
        }
        Lease granted = new Lease();
        granted.scope = act.scope();
        granted.agent = act.agent();
        granted.incarnation = agent.incarnation;
        granted.expiresAt = now + LEASE_SECONDS;
        leases.add(granted);
        return progress.ends("201 " + (count(act.scope()) - 1));
    }

    private String renew(Lease lease) {
        if (!lease.isInForce(now) || !holds(lease)) {
            return "412 lease_not_in_force";
        }
        lease.expiresAt = now + LEASE_SECONDS;
        return "200";
    }

    private String verify(Lease lease) {
        return lease.isInForce(now) && holds(lease) ? "200" : "412 lease_not_in_force";
    }

    private String status(Lease lease) {
        if (!lease.isInForce(now)) {
            return lease.status.equals(ACTIVE) ? "expired" : lease.status;
        }
        return holds(lease) ? ACTIVE : end(lease, agents[lease.agent])[0];
    }

    private Progress end(Progress progress, Lease lease) {
        boolean revokes = progress.act().kind() == Act.Kind.REVOKE;
        if (lease.status.equals(ACTIVE)) {
            if (lease.isInForce(now)) {
                lease.end(revokes ? "revoked" : "released", revokes ? "revoked" : "", now);
            } else {
                lease.end("expired", "timeout", now);
            }
        }
        return progress.at(1).answering(revokes ? "200" : "204");
    }

    private Progress completeAfterRelease(Progress progress, Lease lease, Agent holder) {
        boolean givenBack = lease.status.equals("released") || lease.status.equals("revoked");
        boolean completes = givenBack
                && holder.status.equals(DRAINING)
                && holder.incarnation == lease.incarnation
                && lease.endedAt > holder.since - TAKEOVER_DELAY
                && !holdsAny(lease.agent, lease.incarnation);
        if (completes) {
            enter(holder, DEREGISTERED, "drain_completed");
        }
        return progress.end();
    }

    private String command(int number, boolean queues) {
        Agent agent = agents[number];
        if (!agent.takesWork()) {
            return "409 transition_not_allowed";
        }
        if (agent.commanded != queues) {
            audit.add((queues ? "agent.command_queued a" : "agent.command_withdrawn a") + number);
        }
        agent.commanded = queues;
        return queues ? "202" : "204";
    }

    private String block(int number, boolean blocks) {
        Agent agent = agents[number];
        boolean unknown = agent.status.equals(NONE);
        if (unknown && !blocks && agent.ahead.isEmpty()) {
            return "404 agent_not_found";
        }
        if (agent.blocked != blocks) {
            agent.blocked = blocks;
            if (unknown) {
                agent.ahead += blocks ? "b" : "u";
            } else {
                agent.sequence++;
                agent.events += blocks ? "blocked;" : "unblocked;";
            }
            audit.add((blocks ? "agent.blocked a" : "agent.unblocked a") + number);
        }
        return "200";
    }

    private String key(boolean rotates) {
        if (revoked) {
            return "404 key_not_found";
        }
        if (rotates) {
            secret++;
            audit.add("key.rotated");
        } else {
            revoked = true;
            audit.add("key.revoked");
        }
        return rotates ? "200" : "204";
    }

    private String silence(boolean begins) {
        boolean before = silenced;
        silenced = begins;
        if (before != begins) {
            audit.add(begins ? "silence.written" : "silence.deleted");
        }
        return !begins ? "204" : before ? "200" : "201";
    }

    /** Returns a sweep that does not find the row of an agent that is gone for an hour, since another sweep moved it to the archive. */
    Optional<Progress> withoutRow(Progress progress) {
        Agent agent = agents[progress.act().agent()];
        return progress.act().kind() == Act.Kind.SWEEP
                        && progress.place() == 1
                        && !agent.status.equals(NONE)
                        && !agent.isAlive()
                        && agent.through == 0
                        && agent.since < now - ARCHIVED_AFTER
                ? Optional.of(progress.end())
                : Optional.empty();
    }

    /** Reads the ended secrets and the row, replaces an ended secret, makes transitions, ends leases and removes the marker. */
    private Progress sweep(Progress progress, Agent agent) {
        int number = progress.act().agent();
        Agent seen = progress.seen();
        switch (progress.place()) {
            case 0 -> {
                Agent keys = new Agent();
                keys.secret = revoked ? NO_SECRET : secret;
                return progress.seeing(1, keys);
            }
            case 1 -> {
                if (agent.status.equals(NONE)) {
                    return progress.end();
                }
                int newest = seen.secret;
                boolean ended =
                        agent.secret != NO_SECRET && agent.secret != newest && (newest < 0 || agent.secret < newest);
                return progress.seeing(ended ? REPLACES_SECRET + newest : 2, agent);
            }
            case 2 -> {
                Optional<Runnable> due = due(agent, seen, number);
                if (due.isEmpty()) {
                    return progress.at(3);
                }
                if (!agent.isAsDecidedOn(seen)) {
                    return progress.at(3);
                }
                due.get().run();
                return progress.seeing(2, agent);
            }
            case 3 -> {
                if (seen.through == 0) {
                    return progress.end();
                }
                endLeases(number, seen);
                return progress.at(4);
            }
            case 4 -> {
                if (agent.through == seen.through) {
                    agent.through = 0;
                    agent.died = 0;
                    agent.left = 0;
                    agent.restarted = 0;
                }
                return progress.end();
            }
            default -> {
                if (agent.incarnation == seen.incarnation && agent.secret == seen.secret) {
                    agent.secret = progress.place() - REPLACES_SECRET;
                }
                return progress.at(2);
            }
        }
    }

    private Optional<Runnable> due(Agent agent, Agent seen, int number) {
        boolean silent = now > seen.heardAt + UNHEALTHY_AFTER;
        switch (seen.status) {
            case ACTIVE:
                return silent ? Optional.of(() -> enter(agent, UNHEALTHY, "heartbeat_timeout")) : Optional.empty();
            case UNHEALTHY:
                return now > seen.heardAt + DEAD_AFTER
                        ? Optional.of(() -> enter(agent, DEAD, "heartbeat_timeout"))
                        : Optional.empty();
            case DRAINING:
                boolean holds = holdsAny(number, seen.incarnation);
                boolean idle = seen.load <= 0;
                if (now <= seen.deadline) {
                    return !holds && idle && seen.beats > seen.beatsBefore
                            ? Optional.of(() -> enter(agent, DEREGISTERED, "drain_completed"))
                            : Optional.empty();
                }
                if (holds || !idle && silent) {
                    return Optional.of(() -> {
                        agent.events += "drain_timeout;";
                        agent.sequence++;
                        enter(agent, DEAD, "drain_timeout");
                    });
                }
                return Optional.of(() -> enter(agent, DEREGISTERED, idle ? "drain_completed" : "drain_timeout"));
            default:
                return Optional.empty();
        }
    }

    private Progress sweepLeases(Progress progress) {
        for (Lease lease : leases) {
            if (lease.status.equals(ACTIVE) && now >= lease.expiresAt) {
                lease.end("expired", "timeout", now);
                return progress;
            }
        }
        return progress.end();
    }
}
