package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.schedule.CronFields;
import dev.agenthealth.model.registry.lifecycle.FixedInterval;
import dev.agenthealth.model.registry.lifecycle.LifeSigns;
import dev.agenthealth.model.registry.lifecycle.LifeSigns.Mode;
import dev.agenthealth.model.registry.lifecycle.RunSchedule;
import dev.agenthealth.model.registry.lifecycle.SignOfLife;
import dev.agenthealth.model.schedule.CronSchedule;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads and shows the fields of {@code heartbeat_config} about signs of life. Records errors on the fields. */
final class LifeSignFields {

    private static final String MODE = "mode";
    private static final String SCHEDULE = "schedule";
    static final String CONFIRM_DEATH = "confirm_death";
    private static final String OTHERS = "signs_of_life";
    private static final String CRON = "cron";
    private static final String TIME_ZONE = "time_zone";
    private static final String EVERY_SECONDS = "every_seconds";
    private static final String GRACE_SECONDS = "grace_seconds";

    private LifeSignFields() {}

    /**
     * Returns the change in these fields; absent fields stay. A schedule is replaced as a whole.
     *
     * @param cleared the values of fields that are null
     */
    static UnaryOperator<LifeSigns> read(Fields fields, LifeSigns cleared) {
        Mode mode = fields.oneOf(MODE, Mode.values(), Mode::wireName).orElse(cleared.mode());
        Optional<RunSchedule> declared = schedule(fields);
        Optional<RunSchedule> schedule = fields.has(SCHEDULE) ? declared : cleared.schedule();
        boolean confirmsDeath = fields.flag(CONFIRM_DEATH, cleared.confirmsDeath());
        Set<SignOfLife> given = fields.anyOf(OTHERS, SignOfLife.class);
        Set<SignOfLife> others = fields.has(OTHERS) ? given : cleared.others();
        return kept -> new LifeSigns(
                fields.mentions(MODE) ? mode : kept.mode(),
                fields.mentions(SCHEDULE) ? schedule : kept.schedule(),
                fields.mentions(CONFIRM_DEATH) ? confirmsDeath : kept.confirmsDeath(),
                fields.mentions(OTHERS) ? others : kept.others());
    }

    /** Refuses a schedule, and a probe before death, for an agent whose missing heartbeats are no fault. */
    static void refuseContradiction(Fields fields, LifeSigns signs) {
        if (signs.mode() == Mode.NONE && signs.confirmsDeath()) {
            fields.refuse(CONFIRM_DEATH, "must be false where mode is none");
        }
        if (signs.mode() == Mode.NONE && signs.schedule().isPresent()) {
            fields.refuse(SCHEDULE, "must be absent where mode is none");
        }
    }

    private static Optional<RunSchedule> schedule(Fields config) {
        int errors = config.errorCount();
        Fields fields = config.object(SCHEDULE);
        if (!config.has(SCHEDULE)) {
            return Optional.empty();
        }
        String cron = fields.text(CRON);
        fields.any(TIME_ZONE);
        int every = fields.integer(EVERY_SECONDS, 1, FixedInterval.MAX_SECONDS).orElse(0);
        int grace = fields.integer(GRACE_SECONDS, 0, RunSchedule.MAX_GRACE_SECONDS)
                .orElse(RunSchedule.DEFAULT_GRACE_SECONDS);
        fields.refuseUnknown();
        if (fields.errorCount() > errors) {
            return Optional.empty();
        }
        if (cron.isEmpty() == (every == 0)) {
            fields.refuse(CRON, "or every_seconds is required, and not both");
            return Optional.empty();
        }
        if (every > 0) {
            if (fields.has(TIME_ZONE)) {
                fields.refuse(TIME_ZONE, "must be absent beside every_seconds");
            }
            return Optional.of(new FixedInterval(every, grace));
        }
        return Optional.of(CronFields.runs(fields, grace));
    }

    /** Puts the values that differ from heartbeats at an interval. */
    static void put(ObjectNode json, LifeSigns signs) {
        if (signs.mode() != Mode.HEARTBEATS) {
            json.put(MODE, signs.mode().wireName());
        }
        if (signs.confirmsDeath()) {
            json.put(CONFIRM_DEATH, true);
        }
        signs.schedule().ifPresent(schedule -> put(json.putObject(SCHEDULE), schedule));
        if (!signs.others().isEmpty()) {
            ArrayNode others = json.putArray(OTHERS);
            signs.others().stream().sorted().forEach(sign -> others.add(sign.wireName()));
        }
    }

    private static void put(ObjectNode json, RunSchedule schedule) {
        if (schedule instanceof CronSchedule byClock) {
            json.put(CRON, byClock.cron()).put(TIME_ZONE, byClock.timeZone());
        } else if (schedule instanceof FixedInterval interval) {
            json.put(EVERY_SECONDS, interval.everySeconds());
        }
        json.put(GRACE_SECONDS, schedule.grace().toSeconds());
    }
}
