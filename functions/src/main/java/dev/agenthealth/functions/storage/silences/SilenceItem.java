package dev.agenthealth.functions.storage.silences;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.SECONDS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.model.operations.silence.Silence;
import dev.agenthealth.model.operations.silence.SilencePeriod;
import dev.agenthealth.model.operations.silence.SilencePeriod.Once;
import dev.agenthealth.model.operations.silence.SilencePeriod.Recurring;
import dev.agenthealth.model.operations.silence.SilenceScope;
import dev.agenthealth.model.schedule.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores a silence as an item. This class owns the attribute names. */
final class SilenceItem {

    /** The time for which a silence that is over is shown. */
    private static final Duration KEPT = Duration.ofDays(2);

    private static final Codec<Silence> SILENCE = new Codec<>();
    private static final Codec<SilenceScope> SCOPE = SILENCE.part(Silence::scope);
    private static final Codec<Once> ONCE = SILENCE.optionalPart(silence -> period(silence, Once.class));
    private static final Codec<Recurring> RECURRING = SILENCE.optionalPart(silence -> period(silence, Recurring.class));
    private static final Codec<CronSchedule> STARTS = RECURRING.part(Recurring::starts);

    private static final Attribute<String> OWNER = SILENCE.optional("owner", TEXT, Silence::ownerKeyId);
    private static final Attribute<String> NAME = SILENCE.always("name", TEXT, Silence::name);
    static final Attribute<String> ID = SILENCE.always("id", TEXT, Silence::id);
    private static final Attribute<SilenceScope.Kind> KIND =
            SCOPE.always("kind", AttributeType.wireName(SilenceScope.Kind.EVERYTHING), SilenceScope::kind);
    private static final Attribute<String> OF = SCOPE.optional("of", TEXT, SilenceScope::id);
    private static final Attribute<Instant> STARTS_AT = ONCE.always("starts", MOMENT, Once::startsAt);
    private static final Attribute<Instant> ENDS_AT = ONCE.always("ends", MOMENT, Once::endsAt);
    private static final Attribute<Duration> DURATION = RECURRING.always("seconds", SECONDS, Recurring::duration);
    private static final Attribute<String> CRON = STARTS.always("cron", TEXT, CronSchedule::cron);
    private static final Attribute<String> ZONE = STARTS.always("zone", TEXT, CronSchedule::timeZone);
    private static final Attribute<String> REASON = SILENCE.optional("reason", TEXT, Silence::reason);
    private static final Attribute<String> CREATED_BY = SILENCE.always("by", TEXT, Silence::createdBy);
    private static final Attribute<Instant> CREATED_AT = SILENCE.always("at", MOMENT, Silence::createdAt);

    private SilenceItem() {}

    private static <P extends SilencePeriod> Optional<P> period(Silence silence, Class<P> type) {
        return Optional.of(silence.period()).filter(type::isInstance).map(type::cast);
    }

    static Map<String, AttributeValue> key(String ownerKeyId, String name) {
        return ownerKeyId.isEmpty() ? ItemKind.SILENCE.key(name) : ItemKind.OWNER_SILENCE.key(ownerKeyId, name);
    }

    static Map<String, AttributeValue> of(Silence silence) {
        Map<String, AttributeValue> key = key(silence.ownerKeyId(), silence.name());
        return SILENCE.put(
                silence.period()
                        .over()
                        .map(over -> Attributes.item(key, over.plus(KEPT)))
                        .orElseGet(() -> Attributes.item(key)),
                silence);
    }

    static Silence read(Map<String, AttributeValue> item) {
        SilencePeriod period = CRON.isIn(item)
                ? new Recurring(new CronSchedule(CRON.of(item), ZONE.of(item), 0), DURATION.of(item))
                : new Once(STARTS_AT.of(item), ENDS_AT.of(item));
        return new Silence(
                OWNER.of(item),
                NAME.of(item),
                ID.of(item),
                new SilenceScope(KIND.of(item), OF.of(item)),
                period,
                REASON.of(item),
                new Silence.Creation(CREATED_BY.of(item), CREATED_AT.of(item)));
    }
}
