package dev.agenthealth.functions.operations.silences;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.schedule.CronFields;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.operations.silence.Silence;
import dev.agenthealth.model.operations.silence.SilencePeriod;
import dev.agenthealth.model.operations.silence.SilencePeriod.Once;
import dev.agenthealth.model.operations.silence.SilencePeriod.Recurring;
import dev.agenthealth.model.operations.silence.SilenceScope;
import dev.agenthealth.model.registry.profile.CapabilityTag;
import dev.agenthealth.model.schedule.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads and shows silences. Use a silence only if no error was recorded. */
final class SilenceFields {

    /** The next occurrences of a recurring silence. */
    static final String NEXT = "next";

    /** The number of next occurrences in an answer. */
    private static final int MAX_NEXT = 7;

    private static final int MAX_REASON = 500;
    static final String OWNER = "owner_key_id";
    private static final String SCOPE = "scope";
    static final String STARTS_AT = "starts_at";
    static final String ENDS_AT = "ends_at";
    private static final String FOR_SECONDS = "for_seconds";
    static final String SCHEDULE = "schedule";
    private static final String DURATION_SECONDS = "duration_seconds";
    private static final String ONE_SCOPE =
            "must have exactly one of agent_id, role_id, capability, owner_key_id and \"everything\": true";

    private SilenceFields() {}

    static String reason(Fields body) {
        return body.textOrEmpty("reason", MAX_REASON);
    }

    /** Returns the scope in the request; empty without one. */
    static Optional<SilenceScope> scope(Fields body) {
        Fields fields = body.object(SCOPE);
        if (!body.has(SCOPE)) {
            return Optional.empty();
        }
        List<SilenceScope> scopes = Arrays.stream(SilenceScope.Kind.values())
                .flatMap(kind -> scope(fields, kind).stream())
                .toList();
        fields.refuseUnknown();
        // The description has exactly one field. A null or false beside it may be meant as another one.
        long named = Arrays.stream(SilenceScope.Kind.values())
                .filter(kind -> fields.mentions(kind.wireName()))
                .count();
        if (scopes.size() != 1 || named != 1) {
            body.refuse(SCOPE, ONE_SCOPE);
            return Optional.empty();
        }
        return Optional.of(scopes.get(0));
    }

    private static Optional<SilenceScope> scope(Fields fields, SilenceScope.Kind kind) {
        String name = kind.wireName();
        if (kind == SilenceScope.Kind.EVERYTHING) {
            return fields.flag(name, false) ? Optional.of(SilenceScope.EVERYTHING) : Optional.empty();
        }
        if (kind == SilenceScope.Kind.CAPABILITY) {
            String tag = fields.text(name, CapabilityTag.MAX_LENGTH);
            if (!CapabilityTag.fitsIntoList(tag)) {
                fields.refuse(name, "must be a capability, without a comma and without space at its ends");
            }
            return Optional.of(tag).filter(given -> !given.isEmpty()).map(given -> new SilenceScope(kind, given));
        }
        return Optional.of(fields.id(name)).filter(id -> !id.isEmpty()).map(id -> new SilenceScope(kind, id));
    }

    /** Returns the period of an administrator's silence. */
    static Optional<SilencePeriod> period(Fields body, Instant now) {
        Fields schedule = body.object(SCHEDULE);
        if (!body.has(SCHEDULE)) {
            return once(body, now, SilencePeriod.MAX_ONCE);
        }
        for (String field : List.of(STARTS_AT, ENDS_AT, FOR_SECONDS)) {
            body.any(field);
            if (body.has(field)) {
                body.refuse(field, "must be absent beside schedule");
            }
        }
        return recurring(schedule, now);
    }

    private static Optional<SilencePeriod> recurring(Fields fields, Instant now) {
        int errors = fields.errorCount();
        fields.require("cron");
        fields.require(DURATION_SECONDS);
        int seconds = fields.integer(DURATION_SECONDS, (int) SilencePeriod.MIN_RECURRING.toSeconds(), (int)
                        SilencePeriod.MAX_RECURRING.toSeconds())
                .orElse(1);
        CronSchedule starts = CronFields.starts(fields);
        fields.refuseUnknown();
        if (fields.errorCount() > errors) {
            return Optional.empty();
        }
        Recurring period = new Recurring(starts, Duration.ofSeconds(seconds));
        if (period.overlapsItself(now)) {
            fields.refuse(
                    DURATION_SECONDS,
                    "must be two minutes less than the time between two beginnings: the silence would not end");
        }
        return Optional.of(period);
    }

    /**
     * Returns the period of a silence that does not recur.
     *
     * @param maxLength the maximum time from now until its end
     */
    static Optional<SilencePeriod> once(Fields body, Instant now, Duration maxLength) {
        Optional<Instant> start = body.timestamp(STARTS_AT);
        Instant startsAt = start.orElse(now).truncatedTo(ChronoUnit.MILLIS);
        Optional<Instant> end = body.timestamp(ENDS_AT);
        Optional<Instant> after = body.integer(FOR_SECONDS, 1, (int) maxLength.toSeconds()).stream()
                .mapToObj(startsAt::plusSeconds)
                .findFirst();
        if (body.has(ENDS_AT) == body.has(FOR_SECONDS)) {
            body.refuse(ENDS_AT, "or for_seconds is required, and not both");
            return Optional.empty();
        }
        if (startsAt.isBefore(now.minus(SilencePeriod.MAX_AHEAD))) {
            body.refuse(STARTS_AT, "must be at most " + SilencePeriod.MAX_AHEAD.toDays() + " days ago");
        }
        if (startsAt.isAfter(now.plus(SilencePeriod.MAX_AHEAD))) {
            body.refuse(STARTS_AT, "must be at most " + SilencePeriod.MAX_AHEAD.toDays() + " days from now");
        }
        return end.or(() -> after)
                .map(moment -> moment.truncatedTo(ChronoUnit.MILLIS))
                .map(endsAt -> {
                    if (!endsAt.isAfter(startsAt) || !endsAt.isAfter(now)) {
                        body.refuse(ENDS_AT, "must be later than starts_at and in the future");
                    } else if (endsAt.isAfter((startsAt.isAfter(now) ? startsAt : now).plus(maxLength))) {
                        body.refuse(ENDS_AT, "must be at most " + maxLength.toHours() + " hours after the beginning");
                    }
                    return new Once(startsAt, endsAt);
                });
    }

    /** Returns a silence as answers show it. */
    static ObjectNode shown(Silence silence, Instant now) {
        ObjectNode json = declared(silence);
        Optional<Instant> end = silence.endsAt(now);
        json.put("active", end.isPresent());
        end.ifPresent(until -> json.put("active_until", Timestamps.text(until)));
        if (silence.period() instanceof Recurring recurring) {
            ArrayNode next = json.putArray(NEXT);
            recurring.next(now, MAX_NEXT).forEach(activity -> next.addObject()
                    .put(STARTS_AT, Timestamps.text(activity.from()))
                    .put(ENDS_AT, Timestamps.text(activity.to())));
        }
        return json.put("created_by", silence.createdBy()).put("created_at", Timestamps.text(silence.createdAt()));
    }

    /** Returns what a silence declares, without its state and its author. */
    static ObjectNode declared(Silence silence) {
        ObjectNode json = Json.object().put("name", silence.name());
        if (!silence.ownerKeyId().isEmpty()) {
            json.put(OWNER, silence.ownerKeyId());
        }
        put(json.putObject(SCOPE), silence.scope());
        json.put("reason", silence.reason());
        put(json, silence.period());
        return json;
    }

    private static void put(ObjectNode json, SilenceScope scope) {
        String name = scope.kind().wireName();
        if (scope.kind() == SilenceScope.Kind.EVERYTHING) {
            json.put(name, true);
        } else {
            json.put(name, scope.id());
        }
    }

    private static void put(ObjectNode json, SilencePeriod period) {
        if (period instanceof Once once) {
            json.put(STARTS_AT, Timestamps.text(once.startsAt())).put(ENDS_AT, Timestamps.text(once.endsAt()));
        } else if (period instanceof Recurring recurring) {
            CronSchedule starts = recurring.starts();
            json.putObject(SCHEDULE)
                    .put("cron", starts.cron())
                    .put(DURATION_SECONDS, recurring.duration().toSeconds())
                    .put("time_zone", starts.timeZone());
        }
    }
}
